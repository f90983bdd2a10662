(async () => {
  // An observer with buffered entries reports what came before it, once, in a task of its own.
  const entries = (type, options) => new Promise((done) => {
    const observer = new PerformanceObserver((list) => { observer.disconnect(); done(list.getEntries()); });
    try {
      observer.observe({ type, buffered: true, ...options });
    } catch {
      done([]);
    }
    setTimeout(() => { done(observer.takeRecords()); observer.disconnect(); }, 100);
  });
  // selector is the shortest path of tags, ids and places that finds the element alone.
  const selector = (node) => {
    let element = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    if (!element?.isConnected || element.nodeType !== Node.ELEMENT_NODE) return undefined;
    const root = element.getRootNode();
    for (let path = ''; element; element = element.parentElement) {
      let step = element.localName;
      if (element.id) step += '#' + CSS.escape(element.id);
      else if (element.parentElement && [...element.parentElement.children].some((e) => e !== element && e.localName === element.localName)) {
        step += `:nth-child(${[...element.parentElement.children].indexOf(element) + 1})`;
      }
      path = path ? step + ' > ' + path : step;
      if (root.querySelectorAll(path).length === 1) return path;
      if (!element.parentElement) return path;
    }
  };
  const ms = (n) => Math.round(n * 10) / 10;
  const [lcp, shifts, events, first, tasks, frames] = await Promise.all([entries('largest-contentful-paint'), entries('layout-shift'),
    entries('event', { durationThreshold: 16 }), entries('first-input'), entries('longtask'),
    entries('long-animation-frame')]);
  const found = {};
  const navigation = performance.getEntriesByType('navigation')[0];
  if (navigation?.responseStart) found.ttfb = { ms: ms(navigation.responseStart) };
  const painted = performance.getEntriesByName('first-contentful-paint')[0];
  if (painted) found.fcp = { ms: ms(painted.startTime) };
  const largest = lcp.at(-1);
  if (largest) found.lcp = { ms: ms(largest.startTime), element: selector(largest.element), url: largest.url || undefined };

  // CLS is the worst window of shifts: at most 5 s long, with less than 1 s between two.
  let sum = 0, began = 0, last = -Infinity, worst = 0, moved;
  for (const shift of shifts) {
    if (shift.hadRecentInput) continue;
    if (shift.startTime - last >= 1000 || shift.startTime - began >= 5000) {
      sum = 0;
      began = shift.startTime;
      moved = undefined;
    }
    last = shift.startTime;
    sum += shift.value;
    if (!moved || shift.value > moved.value) moved = shift;
    if (sum > worst) {
      worst = sum;
      found.cls = { element: selector(moved.sources?.find((source) => source.node)?.node) };
    }
  }
  found.cls = { score: Math.round(worst * 1e4) / 1e4, ...found.cls };

  // INP is the longest interaction, leaving out one of each fifty.
  const interactions = new Map();
  for (const entry of [...events, ...first]) {
    const known = interactions.get(entry.interactionId);
    if (entry.interactionId && (!known || entry.duration > known.duration)) interactions.set(entry.interactionId, entry);
  }
  const longest = [...interactions.values()].sort((a, b) => b.duration - a.duration);
  const slow = longest[Math.min(Math.floor((performance.interactionCount ?? longest.length) / 50), longest.length - 1)];
  if (slow) found.inp = { ms: ms(slow.duration), event: slow.name, element: selector(slow.target) };

  // A task does not say what ran in it; the frame that it delayed does.
  const scripts = frames.flatMap((frame) => frame.scripts);
  const cause = (task) => {
    const shared = (s) => Math.min(s.startTime + s.duration, task.startTime + task.duration) - Math.max(s.startTime, task.startTime);
    const most = scripts.reduce((a, b) => (a && shared(a) >= shared(b) ? a : b), undefined);
    if (!most || shared(most) <= 0) return {};
    return { by: most.invoker.slice(0, 200), script: most.sourceURL.slice(0, 200) || undefined, function: most.sourceFunctionName.slice(0, 100) || undefined };
  };
  const total = tasks.reduce((sum, task) => sum + task.duration, 0);
  found.longTasks = { count: tasks.length, ms: ms(total), blockingMs: ms(total - 50 * tasks.length) };
  found.longTasks.longest = tasks.sort((a, b) => b.duration - a.duration).slice(0, 5).map((task) => ({ ms: ms(task.duration), atMs: ms(task.startTime), ...cause(task) }));
  return found;
})()
