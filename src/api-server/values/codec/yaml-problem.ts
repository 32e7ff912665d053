import type { LineCounter, YAMLError } from 'yaml';

/** go-yaml's words for what the parser finds. */
const WORDS: Readonly<Partial<Record<YAMLError['code'], string>>> = {
  BLOCK_AS_IMPLICIT_KEY: 'mapping values are not allowed in this context',
  MULTILINE_IMPLICIT_KEY: 'mapping values are not allowed in this context',
  TAB_AS_INDENT: 'found character that cannot start any token',
  BAD_SCALAR_START: 'found character that cannot start any token',
  BAD_DQ_ESCAPE: 'found unknown escape character',
  BAD_ALIAS: 'did not find expected alphabetic or numeric character',
};
const OPEN_FLOW = /end with a (?<bracket>[\]}])$/;

export interface YamlText {
  readonly text: string;
  readonly lines: LineCounter;
}

/**
 * The words of go-yaml for a text that cannot be parsed, as far as another parser can find them: the common mistakes word for word.
 *
 * The first line has no number, as in go-yaml.
 */
export function yamlProblem(error: YAMLError, { text, lines }: YamlText): string {
  const bracket = OPEN_FLOW.exec(error.message)?.groups?.['bracket'];
  if (bracket !== undefined) return openFlow(bracket, error, { text, lines });
  if (error.message.startsWith('Missing closing')) return `${linePrefix(text.split('\n').length)}found unexpected end of stream`;
  const { line } = lines.linePos(error.code === 'MULTILINE_IMPLICIT_KEY' ? error.pos[1] - 1 : error.pos[0]);
  if (/^Unexpected flow-(?:seq|map)-end token/.test(error.message)) {
    const isBehindValue = /[\w\]}"']\s*$/.test(text.slice(0, error.pos[0]));
    return `${linePrefix(line)}did not find expected ${isBehindValue ? 'key' : 'node content'}`;
  }
  if (error.message.startsWith('Unexpected block-seq-ind'))
    return `${linePrefix(line)}block sequence entries are not allowed in this context`;
  return `${linePrefix(line)}${WORDS[error.code] ?? error.message}`;
}

function linePrefix(line: number): string {
  return line > 1 ? `yaml: line ${line}: ` : 'yaml: ';
}

/** A bracket that is not closed: found where the text ends, or where a line is not indented enough. */
function openFlow(bracket: string, { pos }: YAMLError, { text, lines }: YamlText): string {
  const rest = text.slice(pos[0]);
  const isAtEnd = rest.trim() === '';
  const line = isAtEnd ? text.replace(/\n$/, '').split('\n').length : lines.linePos(pos[0]).line;
  const isExpectingItem = isAtEnd && /[[{,]\s*$/.test(text);
  return `yaml: line ${line}: ${isExpectingItem ? 'did not find expected node content' : `did not find expected ',' or '${bracket}'`}`;
}
