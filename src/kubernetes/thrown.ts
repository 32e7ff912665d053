/**
 * What a function of the user's threw, as an error that can be read: JavaScript lets throw nothing at all, and what throws when it is looked at. Without this, the
 * first would pass for success, and the second would break whoever wants to tell of it.
 */
export function errorOf(thrown: unknown): Error {
  let text: string;
  try {
    if (isReadable(thrown)) return thrown;
    text = typeof thrown === 'string' ? JSON.stringify(thrown) : String(thrown);
  } catch {
    return new TypeError('something was thrown that cannot be read; throw an Error');
  }
  return new TypeError(`${text.length > 200 ? `${text.slice(0, 199)}…` : text} was thrown, which is no Error; throw an Error`);
}

/** Errors of other realms are errors too. All that is read of them later is read once. */
function isReadable(thrown: unknown): thrown is Error {
  if (!(thrown instanceof Error) && Object.prototype.toString.call(thrown) !== '[object Error]') return false;
  const { name, message, code } = thrown as Error & { readonly code?: unknown };
  return typeof name === 'string' && typeof message === 'string' && typeof code !== 'symbol';
}
