// A one-time key comes behind the #, which no server and no log gets to see.
const key = new URLSearchParams(location.hash.slice(1)).get('key');
// What is to be looked at is remembered beyond the login.
if (location.hash && !key) sessionStorage.setItem('at', location.hash.slice(1));
if (key) {
  history.replaceState(null, '', '/');
  document.querySelector('#key').value = key;
  document.querySelector('#login').submit();
}
