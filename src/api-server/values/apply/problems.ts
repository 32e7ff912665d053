import { TypeMismatch } from './errors.js';
import { elementText, type Path } from './path-element.js';

/** A problem of a value, and its place. */
export interface Problem {
  readonly path: Path;
  readonly message: string;
}

function problemText({ path, message }: Problem): string {
  const where = path.map((element) => elementText(element)).join('');
  return where === '' ? message : `${where}: ${message}`;
}

/** One problem as one line, several as a list. */
function problemsText(problems: readonly Problem[]): string {
  const [first] = problems;
  if (first !== undefined && problems.length === 1) return problemText(first);
  return ['errors:', ...problems.map((problem) => `  ${problemText(problem)}`)].join('\n');
}

/**
 * @param failure stands before the problems
 * @throws TypeMismatch when there are problems
 */
export function refuseProblems(problems: readonly Problem[], failure = ''): void {
  if (problems.length > 0) throw new TypeMismatch(`${failure}${problemsText(problems)}`);
}
