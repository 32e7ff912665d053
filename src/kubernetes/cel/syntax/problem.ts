/** One thing that is wrong with an expression, placed where cel-go places it. */
export interface CelProblem {
  /** As cel-go words it, for example `undefined field 'x'`. */
  readonly message: string;
  /** 1-based; 0 where the problem belongs to no place (a limit was exceeded). */
  readonly line: number;
  /** 1-based, counted in code points. */
  readonly column: number;
  /** Set if the expression compiled, and only making the program failed: a constant cannot be converted, a pattern is wrong. */
  readonly phase?: 'instantiation';
  /** Set if a field is named that the object's type does not have. */
  readonly undefinedField?: string;
}

/** Longest source line that is repeated below a message; cel-go's figure. */
const MAX_SNIPPET_LENGTH = 16_384;
/** More problems than this are counted, not shown; cel-go's figure. */
const MAX_PROBLEMS = 100;

/** Writes problems the way the API server does: `ERROR: <input>:1:5: …` with the source line and a caret below. */
export function renderProblems(expression: string, problems: readonly CelProblem[]): string {
  const lines = expression.split('\n');
  const sorted = problems.slice(0, MAX_PROBLEMS).sort((a, b) => a.line - b.line || a.column - b.column);
  const rendered = sorted.map((problem) => renderProblem(problem, lines));
  if (problems.length > MAX_PROBLEMS) rendered.push(`${problems.length - MAX_PROBLEMS} more errors were truncated`);
  return rendered.join('\n');
}

function renderProblem(problem: CelProblem, lines: readonly string[]): string {
  const head = `ERROR: <input>:${problem.line === 0 ? -1 : problem.line}:${problem.line === 0 ? 0 : problem.column}: ${problem.message}`;
  const snippet = problem.line === 0 ? undefined : lines[problem.line - 1]?.replaceAll('\t', ' ');
  if (snippet === undefined || snippet.length > MAX_SNIPPET_LENGTH) return head;
  const characters = [...snippet];
  const marks = characters.slice(0, problem.column - 1).map((character) => (isWide(character) ? '．' : '.'));
  const caret = isWide(characters[problem.column - 1] ?? '') ? '＾' : '^';
  return `${head}\n | ${snippet}\n | ${marks.join('')}${caret}`;
}

/** Wide marks below what takes more than one byte in UTF-8, as cel-go does, so that carets line up in most fonts. */
function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f;
}

/** Turns an offset (UTF-16 units) of a source text into a 1-based line and column. */
export function positionAt(source: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  for (let newline = source.indexOf('\n'); newline !== -1 && newline < offset; newline = source.indexOf('\n', newline + 1)) {
    line++;
    start = newline + 1;
  }
  return { line, column: [...source.slice(start, offset)].length + 1 };
}
