// Text from pages and callers enters the document as text, never as HTML.

export const $ = (selector) => document.querySelector(selector);

// el makes an element: el('td', {class: 'time'}, 'text', child).
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value !== undefined && value !== null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// text sets an element's text only if it changed, so that a screen reader does not
// read it twice.
export function text(at, words) {
  if (at.textContent !== words) at.textContent = words;
}

// facts shows a list of short texts, one beside the other, without those that are empty. A line
// breaks between two only, and the space between them is the style's.
export function facts(at, list) {
  list = list.filter(Boolean).map(String);
  if (at.textContent !== list.join(' ')) at.replaceChildren(...list.flatMap((fact, i) => [i ? ' ' : '', el('span', {}, fact)]));
}

const clock = new Intl.DateTimeFormat([], { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });

export const time = (at) => clock.format(new Date(at));

export function took(ms) {
  if (ms === undefined) return '';
  return ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

// ago formats an age in its largest unit.
export function ago(at) {
  const s = Math.max(0, (Date.now() - at) / 1000);
  const [n, unit] = s < 60 ? [s, 's'] : s < 3600 ? [s / 60, 'min'] : s < 86400 ? [s / 3600, 'h'] : [s / 86400, 'd'];
  return `${Math.floor(n)} ${unit}`;
}

let fading;

// problem shows an error for a while.
export function problem(words) {
  const at = $('#problem');
  at.hidden = false;
  text(at, words);
  clearTimeout(fading);
  fading = setTimeout(() => { at.hidden = true; at.textContent = ''; }, 8000);
}

// say announces a text to screen readers.
export const say = (words) => text($('#said'), words);
