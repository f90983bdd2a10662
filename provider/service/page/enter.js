// A one-time key is in the URL's fragment, which reaches no server and no log.
const key = new URLSearchParams(location.hash.slice(1)).get('key');
// Remembers across the login which session to show.
if (location.hash && !key) sessionStorage.setItem('at', location.hash.slice(1));
if (key) {
  history.replaceState(null, '', '/');
  document.querySelector('#key').value = key;
  document.querySelector('#login').submit();
}
