// A one-time key comes behind the #, which no server and no log gets to see.
const key = new URLSearchParams(location.hash.slice(1)).get('key');
if (key) {
  history.replaceState(null, '', '/');
  document.querySelector('#key').value = key;
  document.querySelector('#login').submit();
}
