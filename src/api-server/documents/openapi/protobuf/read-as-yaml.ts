import type { JsonObject } from '../../../contract/index.js';

/** Characters that JSON allows and YAML forbids. Source: `go.yaml.in/yaml/v3` 3.0.4, `readerc.go`. */
const FORBIDDEN = /[\x7f-\x84\x86-\x9f\ufffe\uffff]/;
const NEL = '\u0085';
/** Characters that break a line in YAML, and mean nothing special in JSON. */
const BREAK = /[\u0085\u2028\u2029]/;
const BREAKS_AND_BLANKS = / *[\u0085\u2028\u2029][ \u0085\u2028\u2029]*/g;
const TEXT = /"(?:[^"\\]|\\.)*"/g;

/**
 * A document as gnostic has it, which takes its JSON for YAML: rare characters break lines, and such lines are joined as YAML joins them.
 * @returns undefined if YAML forbids it: then there is no protobuf of it, on a real server either
 */
export function readAsYaml(json: string): JsonObject | undefined {
  if (FORBIDDEN.test(json)) return undefined;
  if (!BREAK.test(json)) return JSON.parse(json) as JsonObject;
  const texts = [...json.matchAll(TEXT)];
  // A name must be on one line.
  if (texts.some(({ 0: text, index }) => BREAK.test(text) && json[index + text.length] === ':')) return undefined;
  return JSON.parse(json.replace(TEXT, (text) => text.replace(BREAKS_AND_BLANKS, joined))) as JsonObject;
}

/** NEL is one break like another: alone it becomes a blank, before others nothing. The two of Unicode stay. */
function joined(breaks: string): string {
  const [first = '', ...others] = breaks.replaceAll(' ', '');
  if (first === NEL && others.length === 0) return ' ';
  return [...(first === NEL ? [] : [first]), ...others].map((character) => (character === NEL ? '\\n' : character)).join('');
}
