(native, scope) => {
  'use strict';
  // Numbers and dates as people write them, in American English: as a browser
  // writes them, or not at all. For other languages the page can be asked.
  const replace = (object, methods) => {
    for (const [name, value] of Object.entries(methods)) Object.defineProperty(object, name, { value, configurable: true, writable: true });
  };
  const english = (locales) => {
    const [locale = 'en-US'] = [].concat(locales === undefined ? [] : locales);
    if (locale !== 'en-US' && locale !== 'en') throw new RangeError(`a script formats in American English only; ask the page: page.evaluate((v) => v.toLocaleString('${locale}'), v)`);
  };
  const only = (what, options, known) => {
    for (const k of Object.keys(options)) if (options[k] !== undefined && !known.includes(k)) throw new RangeError(`${what}: a script does not know the option ${k}; ask the page: page.evaluate((v) => v.toLocaleString('en-US', …), v)`);
  };
  const symbols = { USD: '$', EUR: '€', GBP: '£', JPY: '¥', INR: '₹', CNY: 'CN¥', KRW: '₩', AUD: 'A$', CAD: 'CA$', MXN: 'MX$', BRL: 'R$', NZD: 'NZ$', ILS: '₪', VND: '₫' };
  const whole = ['JPY', 'KRW', 'VND'];
  const formatNumber = (value, locales, options = {}) => {
    english(locales);
    only('Number', options, ['style', 'currency', 'minimumFractionDigits', 'maximumFractionDigits', 'useGrouping', 'minimumIntegerDigits']);
    const { style = 'decimal', currency, useGrouping = true, minimumIntegerDigits = 1 } = options;
    if (!['decimal', 'percent', 'currency'].includes(style)) only('Number', { style }, []);
    if (style === 'currency' && !currency) throw new TypeError('Currency code is required with currency style.');
    const usual = style === 'currency' ? whole.includes(currency) ? 0 : 2 : 0;
    const low = options.minimumFractionDigits ?? Math.min(usual, options.maximumFractionDigits ?? usual);
    const high = options.maximumFractionDigits ?? Math.max(low, style === 'decimal' ? 3 : usual);
    for (const digits of [low, high, minimumIntegerDigits]) if (!(digits >= 0 && digits <= 100)) throw new RangeError('a number of digits is between 0 and 100');
    const n = Number(value), shift = style === 'percent' ? 2 : 0;
    let text = Math.abs(n) === Infinity ? '∞' : Number.isNaN(n) ? 'NaN' : rounded(String(value).replace(/^-/, ''), shift, high);
    let [int, fraction = ''] = text.split('.');
    while (fraction.length > low && fraction.endsWith('0')) fraction = fraction.slice(0, -1);
    if (/\d/.test(int)) int = int.padStart(minimumIntegerDigits, '0');
    if (useGrouping) int = int.replace(/\B(?=(\d{3})+$)/g, ',');
    text = int + (fraction ? '.' + fraction : '');
    if (style === 'currency') text = (symbols[currency] || currency + (/^\d/.test(text) ? '\u00a0' : '')) + text;
    const minus = typeof value === 'bigint' ? value < 0n : n < 0 || Object.is(n, -0);
    return (minus ? '-' : '') + text + (style === 'percent' ? '%' : '');
  };
  // rounded rounds a written number, its point moved, halves up as Intl does;
  // toFixed would round the number that the machine holds.
  const rounded = (written, shift, digits) => {
    const [mantissa, exponent = 0] = written.split('e'), [int, fraction = ''] = mantissa.split('.');
    const point = int.length + Number(exponent) + shift;
    const all = ('0'.repeat(Math.max(0, 1 - point)) + int + fraction).padEnd(Math.max(point, 1) + digits + 1, '0'), end = Math.max(point, 1) + digits;
    const kept = String(BigInt(all.slice(0, end)) + (all[end] >= '5' ? 1n : 0n)).padStart(digits + 1, '0');
    return kept.slice(0, kept.length - digits) + '.' + kept.slice(kept.length - digits);
  };

  const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
  const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
  const two = (n) => String(n).padStart(2, '0');
  const dateStyles = { full: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }, long: { year: 'numeric', month: 'long', day: 'numeric' },
    medium: { year: 'numeric', month: 'short', day: 'numeric' }, short: { year: '2-digit', month: 'numeric', day: 'numeric' } };
  const timeStyles = { medium: { hour: 'numeric', minute: '2-digit', second: '2-digit' }, short: { hour: 'numeric', minute: '2-digit' } };
  const allDate = { year: 'numeric', month: 'numeric', day: 'numeric' }, allTime = { hour: 'numeric', minute: '2-digit', second: '2-digit' };
  // formatDate adds what is missing: a date's parts, a time's, or both where
  // there is neither.
  const formatDate = (date, locales, options = {}, missing) => {
    english(locales);
    only('Date', options, ['weekday', 'year', 'month', 'day', 'hour', 'minute', 'second', 'hour12', 'hourCycle', 'timeZone', 'dateStyle', 'timeStyle']);
    if (isNaN(date)) return 'Invalid Date';
    const { timeZone, dateStyle, timeStyle } = options;
    if (timeZone !== undefined && timeZone !== 'UTC') only('Date', { [`timeZone ${timeZone}`]: 1 }, []);
    if (timeStyle !== undefined && !timeStyles[timeStyle]) only('Date', { [`timeStyle ${timeStyle}`]: 1 }, []);
    const o = { ...dateStyles[dateStyle], ...timeStyles[timeStyle], ...options };
    const some = (...parts) => parts.some((k) => o[k]);
    const dated = some('weekday', 'year', 'month', 'day'), timed = some('hour', 'minute', 'second');
    if (missing === 'date' ? !dated : !dated && !timed && missing !== 'time') Object.assign(o, allDate);
    if (missing === 'time' ? !timed : !dated && !timed && missing === 'both') Object.assign(o, allTime);
    const get = (part) => date[`get${timeZone ? 'UTC' : ''}${part}`]();
    const year = o.year && (o.year === '2-digit' ? two(get('FullYear') % 100) : String(get('FullYear')));
    const day = o.day && (o.day === '2-digit' ? two(get('Date')) : String(get('Date')));
    const weekday = o.weekday && (o.weekday === 'long' ? weekdays[get('Day')] : weekdays[get('Day')].slice(0, 3));
    const named = o.month === 'long' ? months[get('Month')] : o.month === 'short' ? months[get('Month')].slice(0, 3) : '';
    const month = named || o.month && (o.month === '2-digit' ? two(get('Month') + 1) : String(get('Month') + 1));
    const join = (list, by) => list.filter(Boolean).join(by);
    const text = named ? join([weekday, join([join([named, day], ' '), year], day ? ', ' : ' ')], ', ') : join([weekday, join([month, day, year], '/')], ', ');
    const late = get('Hours') >= 12, half = o.hour12 ?? !['h23', 'h24'].includes(o.hourCycle);
    const hour = o.hour && (half ? get('Hours') % 12 || 12 : get('Hours'));
    const time = join([hour !== undefined && (o.hour === '2-digit' || !half ? two(hour) : String(hour)),
      o.minute && (o.hour || o.second ? two(get('Minutes')) : String(get('Minutes'))), o.second && (o.minute ? two(get('Seconds')) : String(get('Seconds')))], ':') +
      (o.hour && half ? late ? ' PM' : ' AM' : '');
    return join([text, time], o.month === 'long' ? ' at ' : text === weekday ? ' ' : ', ');
  };
  const toNumber = { toLocaleString(locales, options) { return formatNumber(this.valueOf(), locales, options); } };
  replace(Number.prototype, toNumber);
  replace(BigInt.prototype, toNumber);
  replace(Date.prototype, {
    toLocaleString(locales, options) { return formatDate(this, locales, options, 'both'); },
    toLocaleDateString(locales, options) { return formatDate(this, locales, options, 'date'); },
    toLocaleTimeString(locales, options) { return formatDate(this, locales, options, 'time'); },
  });
  replace(String.prototype, { localeCompare(other, locales, options = {}) {
    const [locale = 'en'] = [].concat(locales === undefined ? [] : locales);
    return native.collate(String(this), String(other), locale, !!options.numeric, options.sensitivity || 'variant');
  } });
  class Formatter {
    constructor(format) { this.format = format; Object.freeze(this); }
  }
  globalThis.Intl = Object.freeze({
    NumberFormat: class NumberFormat extends Formatter { constructor(locales, options) { formatNumber(0, locales, options); super((v) => formatNumber(v, locales, options)); } },
    DateTimeFormat: class DateTimeFormat extends Formatter {
      constructor(locales, options) { super((d = new Date()) => {
        if (isNaN(d)) throw new RangeError('Invalid time value');
        return formatDate(new Date(d), locales, options);
      }); }
      resolvedOptions() { return { locale: 'en-US', timeZone: native.zone }; }
    },
    Collator: class Collator { constructor(locales, options) { this.compare = (a, b) => String(a).localeCompare(b, locales, options); } },
  });
}
