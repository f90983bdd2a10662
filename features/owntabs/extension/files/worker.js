// Lends tabs to pwpipe. A click on the button lends the tab, another click takes it back.
'use strict';

const host = 'pwpipe.tabs';

let port = null; // to pwpipe, through its native messaging host
let there = false; // pwpipe is at the other end
let begun = ''; // of a message that comes in pieces
const tabs = new Map(); // the lent ones, by id: {attached, made, group}
const lentGroup = 'lent to pwpipe'; // the title of the groups that lent tabs are in

// What an earlier worker has left, which ended without giving its tabs back.
chrome.tabGroups.query({title: lentGroup}).then((list) => Promise.all(list.map(async ({id: groupId}) => {
  const left = (await chrome.tabs.query({groupId})).filter(({id}) => !tabs.has(id));
  if (left.length) await chrome.tabs.ungroup(left.map(({id}) => id));
}))).catch(() => {});

chrome.action.onClicked.addListener(({id}) => (tabs.has(id) ? takeBack(id, 'the person took it back') : lend(id)));

function lend(id) {
  tabs.set(id, {attached: false, made: false});
  show(id);
  if (!port) connect();
  else if (there) void attach(id);
}

function connect() {
  let busy = '';
  const mine = port = chrome.runtime.connectNative(host);
  port.onMessage.addListener((message) => {
    if (message.type === 'busy') busy = 'pwpipe has the tabs of another browser of yours';
    else receive(message);
  });
  port.onDisconnect.addListener(() => {
    const {message = ''} = chrome.runtime.lastError ?? {};
    if (port === mine) hangUp(there ? '' : busy || `${message} Run: pwpipe extension install`);
  });
  say({type: 'hello', agent: navigator.userAgent});
}

// hangUp gives all tabs back, and closes those that pwpipe opened.
function hangUp(why) {
  port = null;
  there = false;
  begun = '';
  for (const [id, {attached, made}] of tabs) {
    unmark(id);
    tabs.delete(id);
    if (made) chrome.tabs.remove(id).catch(() => {});
    else if (attached) chrome.debugger.detach({tabId: id}).catch(() => {});
    show(id, why);
  }
}

// attach attaches the debugger to a tab, and tells pwpipe about the tab.
async function attach(id) {
  const tab = tabs.get(id);
  try {
    await chrome.debugger.attach({tabId: id}, '1.3');
    const {targetInfo: is} = await chrome.debugger.sendCommand({tabId: id}, 'Target.getTargetInfo');
    if (tabs.get(id) !== tab || !port) {
      await chrome.debugger.detach({tabId: id});
      return;
    }
    tab.attached = true;
    await mark(id);
    say({type: 'lent', tab: id, target: {targetId: is.targetId, url: is.url, title: is.title, browserContextId: is.browserContextId}});
    show(id);
  } catch (e) {
    if (tabs.get(id) === tab) tabs.delete(id);
    show(id, e.message);
    throw e;
  }
}

function takeBack(id, why) {
  const {attached} = tabs.get(id);
  unmark(id);
  tabs.delete(id);
  if (attached) chrome.debugger.detach({tabId: id}).catch(() => {});
  show(id);
  returned(id, why);
}

function returned(id, why) {
  if (port) say({type: 'returned', tab: id, why});
  if (port && !there && tabs.size === 0) { // nothing waits for pwpipe any more
    port.disconnect();
    port = null;
  }
}

// mark puts a tab into a group of its own, where it is, which says to the person who has it. A tab
// that is pinned, or in a group of the person's, stays as it is: its button says so.
async function mark(id) {
  const tab = tabs.get(id);
  try {
    const {pinned, groupId} = await chrome.tabs.get(id);
    if (pinned || groupId !== chrome.tabGroups.TAB_GROUP_ID_NONE) return;
    tab.group = await chrome.tabs.group({tabIds: [id]});
    await chrome.tabGroups.update(tab.group, {title: lentGroup, color: 'blue'});
    if (tabs.get(id) !== tab) await ungroup(id, tab.group);
  } catch {} // the window has no groups, or the tab is gone: it is lent all the same
}

// unmark takes a tab out of its group, if the person has not done so.
function unmark(id) {
  const {group} = tabs.get(id);
  if (group !== undefined) ungroup(id, group).catch(() => {});
}

async function ungroup(id, group) {
  const {groupId} = await chrome.tabs.get(id);
  if (groupId === group) await chrome.tabs.ungroup(id);
}

// show says on the button whether the tab is lent, or why it is not.
function show(id, trouble = '') {
  const tab = tabs.get(id);
  const [text, title] = trouble ? ['!', `Not lent: ${trouble}`]
    : !tab ? ['', 'Lend this tab to pwpipe']
    : tab.attached ? ['on', 'pwpipe has this tab. Click to take it back']
    : ['…', 'This tab waits for pwpipe. Click to take it back'];
  for (const shown of [
    chrome.action.setBadgeText({tabId: id, text}),
    chrome.action.setTitle({tabId: id, title}),
    chrome.action.setBadgeBackgroundColor({tabId: id, color: trouble ? '#b3261e' : '#1a73e8'}),
  ]) shown.catch(() => {}); // the tab is gone
}

function say(message) {
  port.postMessage(message);
}

// receive takes a message. A long one comes in pieces.
function receive(message) {
  if ('piece' in message) {
    begun += message.piece;
    if (!message.last) return;
    message = JSON.parse(begun);
    begun = '';
  }
  if (message.type === 'hello') {
    there = true;
    for (const id of tabs.keys()) attach(id).catch(() => {});
    return;
  }
  const from = port;
  run(message).then((result) => ({result: result ?? {}}), (e) => ({error: String(e.message)})).then((answer) => {
    if (port !== from) return;
    try {
      say({type: 'reply', id: message.id, ...answer});
    } catch (e) { // too long
      say({type: 'reply', id: message.id, error: JSON.stringify({code: -32000, message: e.message})});
    }
  });
}

async function run({type, tab, session, method, params}) {
  if (type === 'open') {
    const {id} = await chrome.tabs.create({url: 'about:blank', active: false});
    tabs.set(id, {attached: false, made: true});
    await attach(id);
    return {tab: id};
  }
  const lent = tabs.get(tab);
  if (!lent?.attached) throw new Error('the tab is not lent');
  switch (type) {
    case 'send':
      return chrome.debugger.sendCommand(session ? {tabId: tab, sessionId: session} : {tabId: tab}, method, params);
    case 'return':
      if (lent.made) {
        unmark(tab);
        return chrome.tabs.remove(tab);
      }
      return takeBack(tab, 'pwpipe gave it back');
  }
  throw new Error(`no command ${type}`);
}

chrome.debugger.onEvent.addListener(({tabId, sessionId}, method, params) => {
  if (!port || !tabs.get(tabId)?.attached) return;
  say({type: 'event', tab: tabId, session: sessionId ?? '', method, params: params ?? {}});
});

// Chrome forgets what the button shows when the tab goes elsewhere.
chrome.tabs.onUpdated.addListener((id) => {
  if (tabs.has(id)) show(id);
});

chrome.debugger.onDetach.addListener(({tabId}, reason) => {
  if (!tabs.has(tabId)) return;
  unmark(tabId);
  tabs.delete(tabId);
  show(tabId);
  returned(tabId, reason === 'canceled_by_user' ? 'the person took it back' : 'it was closed');
});
