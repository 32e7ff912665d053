/**
 * A value that a user's function threw, as an error that can be read: JavaScript lets throw nothing at all, and what throws when it is looked at. Without this, the
 * first would pass for success, and the second would break the code that reports it.
 */
export function errorOf(thrown: unknown): Error {
  let text: string;
  try {
    if (isReadable(thrown)) return thrown;
    text = typeof thrown === 'string' ? JSON.stringify(thrown) : String(thrown);
  } catch {
    return new TypeError('something was thrown that cannot be read; throw an Error');
  }
  return new TypeError(`${text.length > 200 ? `${text.slice(0, 199)}…` : text} was thrown, which is not an Error; throw an Error`);
}

/** Errors of other realms are errors too. All that is read of them later is read once. */
function isReadable(thrown: unknown): thrown is Error {
  if (!isError(thrown)) return false;
  const { name, message, code } = thrown as Error & { readonly code?: unknown };
  return typeof name === 'string' && typeof message === 'string' && typeof code !== 'symbol';
}

/**
 * The message of a thrown value. Never by class alone: an error of another realm (a worker, a test's sandbox) is not an instance of this realm's `Error`, and
 * `String(error)` would add its name.
 */
export function messageOf(thrown: unknown): string {
  return isError(thrown) ? thrown.message : String(thrown);
}

/** The stack of a thrown error, with its message; of another value its text. */
export function stackOf(thrown: unknown): string {
  return isError(thrown) ? (thrown.stack ?? thrown.message) : String(thrown);
}

/** Whether a thrown value is an error of this or another realm. */
export function isError(thrown: unknown): thrown is Error {
  return thrown instanceof Error || Object.prototype.toString.call(thrown) === '[object Error]';
}
