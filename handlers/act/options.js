(el, names) => {
  // Says why options can't be chosen of an element: "" where nothing is the matter. A second line says
  // what to do instead.
  el = el.localName === 'label' ? el.control ?? el : el;
  if (el.localName === 'select') {
    const options = [...el.options], isNamed = (o, name) => o.value === name || o.label === name || o.text === name;
    for (const name of names) {
      const one = options.find((o) => isNamed(o, name)) ?? options[/^\d+$/.test(name) ? +name : -1];
      if (!one) return `has no option ${name}`;
      if (one.matches(':disabled')) return `has an option ${name} that is disabled`;
    }
    return '';
  }
  if (el.list) return 'is a field that suggests values, and no <select>\nfill types a value into it';
  const role = el.getAttribute('role') ?? '', pops = /^(listbox|menu|true|tree|grid|dialog)$/.test(el.getAttribute('aria-haspopup'));
  if (role === 'combobox' || pops) {
    const what = el.matches('input, textarea, [contenteditable]') ? 'click it or fill it with the beginning of the name' : 'click it';
    return `is a list that the page draws itself, and no <select>\n${what}, then click the option, such as 'role=option[name=${JSON.stringify(names[0] ?? '')}]'`;
  }
  if (/^(listbox|menu|radiogroup|tree|grid)$/.test(role) || el.querySelector('[role=option]')) {
    return `is a list that the page draws itself, and no <select>\nclick the option, such as 'role=option[name=${JSON.stringify(names[0] ?? '')}]'`;
  }
  return 'is no <select>\nsnapshot shows what there is; click chooses in what a page draws itself';
}
