import { goQuote, parseGoUint } from '@keelson/kubernetes/apimachinery';
import { plainError } from '../status/index.js';

/** The server's error for a `resourceVersion` parameter that is not a number. */
export function resourceVersionProblem(text: string): string | undefined {
  if (text === '') return undefined;
  const parsed = parseGoUint(text);
  return typeof parsed === 'string' ? `resourceVersion: Invalid value: ${goQuote(text)}: ${parsed}` : undefined;
}

/** `metadata.resourceVersion` of an object that is written; 0: none. @throws StatusError 500, which is what the server answers when it is not a number */
export function writtenResourceVersion(text: string | undefined): bigint {
  if (text === undefined || text === '') return 0n;
  const parsed = parseGoUint(text);
  if (typeof parsed === 'string') throw plainError(parsed);
  return parsed;
}
