import { isKnownFormat, KNOWN_FORMATS } from '@keelson/kubernetes/apimachinery';
import { z } from 'zod';
import type { ZodCheckDef, ZodDef, ZodNode } from '../zod-internals.js';
import { type ConversionContext, type Draft, type Place, refuse, warn } from './context.js';
import { LENGTH, narrowCount } from './counts.js';
import { goPatternOf } from './go-pattern.js';
import { nativeChecks } from './native-checks.js';
import { CHANGING_FORMATS, FORMATS, REFUSED_FORMATS } from './string-formats.js';

interface At {
  readonly context: ConversionContext;
  readonly place: Place;
}

export function convertString(node: ZodNode, context: ConversionContext, place: Place): Draft {
  const draft: Draft = { type: 'string' };
  const at = { context, place };
  const narrow = { kind: LENGTH, at };
  for (const check of nativeChecks(node, context, place)) {
    if (check.check === 'min_length') narrowCount(draft, { min: check.minimum }, narrow);
    else if (check.check === 'max_length') narrowCount(draft, { max: check.maximum }, narrow);
    else if (check.check === 'length_equals') narrowCount(draft, { min: check.length, max: check.length }, narrow);
    else if (check.check === 'string_format') addStringFormat(draft, check as ZodCheckDef & ZodDef, at);
    else refuse(context, place, `the check ${check.check} on a string has no schema; write .check(k.rule('…'))`);
  }
  return draft;
}

function addStringFormat(draft: Draft, def: ZodCheckDef & ZodDef, { context, place }: At): void {
  const name = def.format ?? '';
  const refusal = Object.hasOwn(REFUSED_FORMATS, name) ? REFUSED_FORMATS[name]?.(def) : undefined;
  if (refusal !== undefined) {
    refuse(context, place, refusal);
    return;
  }
  const known = Object.hasOwn(FORMATS, name) && !hasOwnPattern(def) ? FORMATS[name]?.(def) : undefined;
  if (known !== undefined) {
    if (known.format !== undefined) addFormat(draft, known.format);
    for (const pattern of known.patterns ?? []) addPattern(draft, pattern);
    return;
  }
  if (def.pattern === undefined) {
    refuse(context, place, `the string format ${name} runs code; write .regex() with a pattern, or .check(k.rule('…'))`);
    return;
  }
  const result = goPatternOf(def.pattern);
  if ('problem' in result) {
    refuse(context, place, `the pattern ${String(def.pattern)}: ${result.problem}`);
    return;
  }
  if (CHANGING_FORMATS.has(name))
    warn(context, place, `the pattern of the format ${name} is zod's own and may change with zod; write .regex() to pin it`);
  addPattern(draft, result.pattern);
}

/** Whether the author gave `z.email()` a pattern of another kind: `z.email({ pattern: z.regexes.html5Email })`. */
function hasOwnPattern({ format, pattern }: ZodDef): boolean {
  return format === 'email' && pattern !== undefined && !ZOD_EMAILS.has(pattern.source);
}

/** zod's default, now and in 4.3: the same texts, written otherwise. */
const ZOD_EMAILS: ReadonlySet<string> = new Set([
  z.regexes.email.source,
  "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
]);

/** JSON schema has room for one format and one pattern: the next ones stand in `allOf`. */
export function addFormat(draft: Draft, format: string): void {
  if (draft.format === undefined) draft.format = format;
  else if (draft.format !== format) draft.allOf = [...(draft.allOf ?? []), { format }];
}

function addPattern(draft: Draft, pattern: string): void {
  if (draft.pattern === undefined) draft.pattern = pattern;
  else if (draft.pattern !== pattern) draft.allOf = [...(draft.allOf ?? []), { pattern }];
}

/** The problem with the name of a format. */
export function formatProblem(format: string): string | undefined {
  return isKnownFormat(format) ? undefined : `the API server ignores the format "${format}"; it knows ${KNOWN_FORMATS.join(', ')}`;
}

/** A template literal is a string whose pattern zod has already made. */
export function convertTemplateLiteral(node: ZodNode, context: ConversionContext, place: Place): Draft {
  const { pattern } = node._zod;
  const result = pattern === undefined ? { problem: 'it has no pattern' } : goPatternOf(pattern);
  if ('problem' in result) {
    refuse(context, place, `z.templateLiteral(): ${result.problem}`);
    return { type: 'string' };
  }
  return { type: 'string', pattern: result.pattern };
}
