/** Go's `url.ParseRequestURI`: an absolute URI or an absolute path. Returns only whether it parses. */
export function isRequestUri(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Go refuses control characters first of all
  if (text === '' || /[\u0000-\u001f\u007f]/.test(text)) return false;
  if (text === '*') return true;
  if (text.startsWith(':')) return false;
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*(?=:)/.exec(text)?.[0] ?? '';
  const afterScheme = scheme === '' ? text : text.slice(scheme.length + 1);
  const query = afterScheme.indexOf('?');
  const rest = query < 0 ? afterScheme : afterScheme.slice(0, query);
  // `mailto:a@b` is opaque and not looked at; without a scheme only a path is left.
  if (!rest.startsWith('/')) return scheme !== '';
  if (scheme === '' || !rest.startsWith('//')) return escapesAreWhole(rest);
  const end = rest.indexOf('/', 2);
  const authority = end < 0 ? rest.slice(2) : rest.slice(2, end);
  return isAuthority(authority) && escapesAreWhole(end < 0 ? '' : rest.slice(end));
}

function escapesAreWhole(text: string): boolean {
  return !/%(?![0-9A-Fa-f]{2})/.test(text);
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  const user = at < 0 ? '' : authority.slice(0, at);
  return /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) && escapesAreWhole(user) && isHost(authority.slice(at + 1));
}

function isHost(host: string): boolean {
  if (host.startsWith('[')) {
    const bracket = host.lastIndexOf(']');
    return bracket > 0 && isOptionalPort(host.slice(bracket + 1)) && hostCharactersAreValid(host.slice(0, bracket + 1));
  }
  const colon = host.lastIndexOf(':');
  return (colon < 0 || isOptionalPort(host.slice(colon))) && hostCharactersAreValid(host);
}

function isOptionalPort(port: string): boolean {
  return port === '' || /^:[0-9]*$/.test(port);
}

/** Only bytes beyond ASCII, and the `%25` of a zone, may be escaped in a host. */
function hostCharactersAreValid(host: string): boolean {
  return !/[ #%/?@\\^`{|}]/.test(host.replace(/%(?:25|[89A-Fa-f][0-9A-Fa-f])/g, ''));
}
