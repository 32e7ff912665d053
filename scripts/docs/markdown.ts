/**
 * The code blocks of a Markdown page, and what the HTML comment right before a block says about it:
 *
 * - `<!-- include path/of/file.ts#region -->`: the block is cut from that file (a region stands between `// #region name` and `// #endregion`;
 *   without `#region` the whole file). `npm run docs` renews it, `npm run docs -- --check` refuses a stale one.
 * - `<!-- file main.ts -->`: the block is that file of the page's own project; a later block of the same name replaces it.
 * - `<!-- output dist/app.k8s.yaml -->`: the block stands in what the page's project, as it is at this place, synthesizes. A line `# ...` leaves something out.
 * - `<!-- prints rights.ts -->`: the block stands in what that file of the page's project prints, errors included; `# ...` as above.
 * - `<!-- context` and lines of code up to `-->`: set before each later block of the page that has no import of its own; an empty one ends it.
 *
 * Every `ts` block is compiled. A block that cannot stand alone and needs no check is marked `text`.
 */
export interface CodeBlock {
  readonly language: string;
  readonly text: string;
  /** Line of the first line of code, counted from 1. */
  readonly line: number;
  readonly directive?: Directive;
  /** Code that the compiler sees before the block. */
  readonly context: string;
}

export interface Directive {
  readonly name: 'include' | 'file' | 'output' | 'prints';
  readonly argument: string;
}

/** The rest behind the language (`yaml spec.versions.0`) is for the test that reads the page. */
const FENCE = /^(\s*)(```+)(\S*)(?:\s.*)?$/;

/** @throws Error for a fence that is never closed, and for a comment that no block follows. */
export function codeBlocksOf(markdown: string): CodeBlock[] {
  const lines = markdown.split('\n');
  const blocks: CodeBlock[] = [];
  let context = '';
  let directive: Directive | undefined;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (line.startsWith('<!--')) {
      const end = lines.findIndex((candidate, at) => at >= index && candidate.includes('-->'));
      const comment = lines
        .slice(index, end + 1)
        .join('\n')
        .replace(/^<!--\s?/, '')
        .replace(/\s*-->.*$/s, '');
      if (/^context\b/.test(comment)) context = comment.replace(/^context[^\n]*\n?/, '');
      else directive = directiveOf(comment);
      index = end;
      continue;
    }
    const fence = FENCE.exec(line);
    if (fence !== null) {
      const [, indent = '', ticks = '', language = ''] = fence;
      const end = lines.findIndex((candidate, at) => at > index && candidate === indent + ticks);
      if (end < 0) throw new Error(`line ${index + 1}: the code block is never closed`);
      const text = lines
        .slice(index + 1, end)
        .map((code) => (code.startsWith(indent) ? code.slice(indent.length) : code))
        .join('\n');
      blocks.push({ language, text, line: index + 2, context, ...(directive === undefined ? {} : { directive }) });
      directive = undefined;
      index = end;
      continue;
    }
    if (line.trim() !== '' && directive !== undefined) throw lost(directive, index);
  }
  if (directive !== undefined) throw lost(directive, lines.length);
  return blocks;
}

/** The error for a directive without a block: it would show nothing, unnoticed. */
function lost({ name, argument }: Directive, line: number): Error {
  return new Error(`line ${line}: no code block follows "${name} ${argument}"; write an empty one, and npm run docs fills it`);
}

function directiveOf(comment: string): Directive | undefined {
  const [, name, argument] = /^(include|file|output|prints)\s+(\S+)$/.exec(comment.trim()) ?? [];
  return name === undefined || argument === undefined ? undefined : { name: name as Directive['name'], argument };
}
