import { LineCounter, parseDocument, type YAMLError } from 'yaml';
import { BodyProblem } from './body-problem.js';
import type { ParsedBody } from './parsed-body.js';
import { YamlTree } from './yaml-tree.js';

/** go-yaml's words for what the parser finds; its own sentence for the rest. */
const WORDS: Readonly<Partial<Record<YAMLError['code'], string>>> = {
  BLOCK_AS_IMPLICIT_KEY: 'mapping values are not allowed in this context',
  TAB_AS_INDENT: 'found character that cannot start any token',
  MISSING_CHAR: 'could not find expected token',
  BAD_INDENT: 'did not find expected key',
};

/** Not errors to go-yaml: it reads the first document only, and leaves unknown tags alone. */
const IGNORED: ReadonlySet<YAMLError['code']> = new Set(['MULTIPLE_DOCS', 'TAG_RESOLVE_FAILED', 'DUPLICATE_KEY']);

/**
 * Reads the first document of a YAML text as the API server does (sigs.k8s.io/yaml over go-yaml 2): `yes` and `on` are true, times are strings.
 *
 * @throws BodyProblem; which line is wrong is told as go-yaml does, what is wrong there not always in its words.
 */
export function parseYaml(bytes: Uint8Array): ParsedBody {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
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
  const [error] = document.errors.filter(({ code }) => !IGNORED.has(code));
  if (error !== undefined) throw new BodyProblem(problemText(error, lineCounter));
  const tree = new YamlTree(lineCounter);
  const value = tree.valueOf(document.contents);
  const problems = tree.duplicates;
  return {
    value,
    strictProblems: problems.length === 0 ? [] : [`yaml: unmarshal errors:\n${problems.map((problem) => `  ${problem}`).join('\n')}`],
  };
}

function problemText(error: YAMLError, lines: LineCounter): string {
  const { line } = lines.linePos(error.pos[0]);
  return `yaml: line ${line}: ${WORDS[error.code] ?? error.message}`;
}
