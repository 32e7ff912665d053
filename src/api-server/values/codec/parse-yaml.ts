import { LineCounter, parseDocument, type YAMLError } from 'yaml';
import { BodyProblem } from './body-problem.js';
import type { ParsedBody } from './parsed-body.js';
import { checkYamlDepth } from './yaml-depth.js';
import { yamlProblem } from './yaml-problem.js';
import { YamlTree } from './yaml-tree.js';

/** Not errors to go-yaml: it reads the first document only, and leaves unknown tags alone. */
const IGNORED: ReadonlySet<YAMLError['code']> = new Set(['MULTIPLE_DOCS', 'TAG_RESOLVE_FAILED', 'DUPLICATE_KEY']);

/**
 * Reads the first document of a YAML text as the API server does (sigs.k8s.io/yaml over go-yaml 2): `yes` and `on` are true, times are strings.
 *
 * @throws BodyProblem; it names the wrong line as go-yaml does, the fault there not always in its words.
 */
export function parseYaml(bytes: Uint8Array): ParsedBody {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  checkYamlDepth(text);
  const lineCounter = new LineCounter();
  // Scalars stay texts: their meaning is go-yaml's, not this parser's.
  const document = parseDocument(text, {
    schema: 'failsafe',
    version: '1.1',
    uniqueKeys: false,
    lineCounter,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const errors = document.errors.filter(({ code }) => !IGNORED.has(code));
  if (errors.length > 0) throw new BodyProblem(yamlProblem(firstInText(errors), { text, lines: lineCounter }));
  const tree = new YamlTree(lineCounter);
  const value = tree.valueOf(document.contents);
  const problems = tree.duplicates;
  return {
    value,
    strictProblems: problems.length === 0 ? [] : [`yaml: unmarshal errors:\n${problems.map((problem) => `  ${problem}`).join('\n')}`],
  };
}

/** A key over several lines is reported twice, and go-yaml stumbles over its end. */
function firstInText(errors: readonly YAMLError[]): YAMLError {
  return errors.find(({ code }) => code === 'MULTILINE_IMPLICIT_KEY') ?? (errors[0] as YAMLError);
}
