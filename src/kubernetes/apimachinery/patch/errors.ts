import { OperatorError } from '../../object/index.js';

/** The API server's answer to a patch instead of the object. */
export interface PatchRefusal {
  readonly status: 400 | 413 | 422 | 500;
  /** `undefined` if the server sends no reason: it answers 500 for an error without a class. */
  readonly reason?: 'BadRequest' | 'RequestEntityTooLarge' | 'Invalid';
  /** The message of the Status. For a JSON Patch that does not apply it says nothing: the server keeps the cause to itself. */
  readonly message: string;
  /**
   * The server panics. Its handler means to answer 500 with this message, as plain text, but the panic goes on and closes the connection first: over
   * HTTP/1.1 a client gets no answer at all.
   */
  readonly isPanic?: true;
}

/** A patch was refused. `message` has the cause in the words of the server's library; `refusal` is the client's answer. */
export class PatchRefused extends OperatorError {
  readonly actor = 'user';
  readonly code = 'KEELSON_PATCH_REFUSED';
  readonly refusal: PatchRefusal;

  constructor(refusal: PatchRefusal, cause: string = refusal.message) {
    super(cause);
    this.refusal = refusal;
  }
}

/** No patch can say what was asked for. */
export class PatchNotPossible extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_PATCH_NOT_POSSIBLE';
}

/** The document of the patch is wrong: 400. */
export function badPatch(message: string): PatchRefused {
  return new PatchRefused({ status: 400, reason: 'BadRequest', message });
}

/** The patch cannot be applied to this object: 422. Clients do not get to see the cause. */
export function doesNotApply(cause: string): PatchRefused {
  return new PatchRefused(
    { status: 422, reason: 'Invalid', message: 'the server rejected our request due to an error in our request' },
    cause,
  );
}

/** The server's library panics. See {@link PatchRefusal.isPanic}. */
export function serverPanic(cause: string): PatchRefused {
  const message = 'This request caused apiserver to panic. Look in the logs for details.';
  return new PatchRefused({ status: 500, message, isPanic: true }, cause);
}
