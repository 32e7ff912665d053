import { isNativeError } from 'node:util/types';

/** A value that a user's function threw, in words. Not by class: an error of another realm, as tests have them, is one too. */
export function textOf(error: unknown): string {
  return isNativeError(error) ? `${error.name}: ${error.message}` : String(error);
}
