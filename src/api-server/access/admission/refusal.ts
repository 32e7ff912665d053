import type { AdmissionRequest } from '../../contract/index.js';
import { forbidden, type StatusCause, type StatusError } from '../../status/index.js';

/** The refusal of a plugin, by the name that is known so far. Source: apiserver `pkg/admission/errors.go`. */
export function refused({ name, object, served }: AdmissionRequest, text: string, causes?: readonly StatusCause[]): StatusError {
  const metadata = (object?.['metadata'] ?? {}) as { readonly name?: string; readonly generateName?: string };
  const known = [name, metadata.name, metadata.generateName].find((one) => one !== undefined && one !== '') ?? 'Unknown';
  return forbidden(served.resource, known, text, causes);
}

/** Several texts as Go's aggregate of errors has them: one alone, more in brackets, none twice. */
export function aggregated(texts: readonly string[]): string {
  const different = [...new Set(texts)];
  return different.length === 1 ? (different[0] ?? '') : `[${different.join(', ')}]`;
}
