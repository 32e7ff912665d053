import { type CelProgram, compile } from '../program/index.js';
import { renderProblems } from '../syntax/index.js';
import type { Libraries } from '../types/index.js';
import { type CelType, formatRuntimeType, sameType } from '../types/index.js';
import { type AdmissionEnvironmentOptions, admissionEnvironment } from './admission.js';

/** Kinds of results that an expression may have; `any` for composed variables; the one type of a patch, which makes the types of patches known. */
export type ResultKinds = readonly ('bool' | 'string' | 'null')[] | 'any' | { readonly patch: CelType };

export interface AdmissionExpressionOptions extends AdmissionEnvironmentOptions {
  readonly results: ResultKinds;
  /** @defaultValue `new` */
  readonly libraries?: Libraries | undefined;
}

export type AdmissionExpressionResult =
  | { readonly ok: true; readonly program: CelProgram }
  /** The API server's objection, after `Invalid value: …: `. */
  | { readonly ok: false; readonly detail: string };

/** Compiles an expression of a policy or a webhook, and words what is wrong with it as the API server does. */
export function compileAdmissionExpression(source: string, options: AdmissionExpressionOptions): AdmissionExpressionResult {
  const { variables, libraries } = admissionEnvironment(options);
  const { results } = options;
  const patch = typeof results === 'object' && 'patch' in results ? results.patch : undefined;
  const result = compile(source, { variables, libraries: options.libraries ?? libraries, patches: patch !== undefined });
  const type = result.ok ? result.program.resultType : result.resultType;
  if (type !== undefined && !isWanted(type, results)) return { ok: false, detail: unwanted(type, results) };
  if (!result.ok) {
    const [first] = result.problems;
    return first?.phase === 'instantiation'
      ? { ok: false, detail: `program instantiation failed: ${first.message}` }
      : { ok: false, detail: `compilation failed: ${renderProblems(source, result.problems)}` };
  }
  return result;
}

function unwanted(type: CelType, results: ResultKinds): string {
  const kinds = results === 'any' ? [] : 'patch' in results ? [results.patch] : results.map((kind): CelType => ({ kind }));
  const names = kinds.map(formatRuntimeType);
  const wanted = names.length === 1 ? names.join() : `one of [${names.join(' ')}]`;
  return `must evaluate to ${wanted} but got ${formatRuntimeType(type)}`;
}

function isWanted(type: CelType, results: ResultKinds): boolean {
  if (results === 'any') return true;
  return 'patch' in results ? sameType(type, results.patch) : results.some((kind) => kind === type.kind);
}
