import { type AdmissionEnvironmentOptions, admissionEnvironment } from './admission.js';
import { type CelProgram, compile } from './compile.js';
import type { Libraries } from './declarations.js';
import { renderProblems } from './problem.js';
import { formatRuntimeType } from './type.js';

/** Kinds of results that an expression may have; `any` for composed variables. */
export type ResultKinds = readonly ('bool' | 'string' | 'null')[] | 'any';

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
  const result = compile(source, { variables, libraries: options.libraries ?? libraries });
  if (!result.ok) {
    const [first] = result.problems;
    return first?.phase === 'instantiation'
      ? { ok: false, detail: `program instantiation failed: ${first.message}` }
      : { ok: false, detail: `compilation failed: ${renderProblems(source, result.problems)}` };
  }
  const { results } = options;
  const { resultType } = result.program;
  if (results === 'any' || results.some((kind) => kind === resultType.kind)) return result;
  const names = results.map((kind) => formatRuntimeType({ kind }));
  const wanted = names.length === 1 ? names.join() : `one of [${names.join(' ')}]`;
  return { ok: false, detail: `must evaluate to ${wanted} but got ${formatRuntimeType(resultType)}` };
}
