/** The part of a mutation report (mutation-testing-report-schema) that is looked at. */
export interface MutationReport {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: 'Killed' | 'Survived' | 'NoCoverage' | 'Timeout' | 'CompileError' | 'RuntimeError' | 'Ignored' | 'Pending';
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

export interface Outcome {
  /** Percent of the valid mutants that a test noticed. */
  readonly score: number;
  readonly mutants: number;
  /** One line each: place, mutator, what became what. */
  readonly survivors: readonly string[];
}

const NOTICED: ReadonlySet<string> = new Set(['Killed', 'Timeout']);
const UNNOTICED: ReadonlySet<string> = new Set(['Survived', 'NoCoverage']);

/** @throws Error if there was nothing to mutate: a score of nothing says nothing */
export function outcomeOf({ files }: MutationReport): Outcome {
  const all = Object.entries(files).flatMap(([file, { source, mutants }]) => mutants.map((mutant) => ({ file, source, mutant })));
  const noticed = all.filter(({ mutant }) => NOTICED.has(mutant.status)).length;
  const survivors = all.filter(({ mutant }) => UNNOTICED.has(mutant.status));
  const mutants = noticed + survivors.length;
  if (mutants === 0) throw new Error('no mutant was tried: the folder has no code, or its tests fail without any change');
  return { score: (100 * noticed) / mutants, mutants, survivors: survivors.map(lineOf) };
}

function lineOf({ file, source, mutant }: { readonly file: string; readonly source: string; readonly mutant: Mutant }): string {
  const { start, end } = mutant.location;
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = (lines[last] ?? '').slice(0, end.column - 1);
  lines[0] = (lines[0] ?? '').slice(start.column - 1);
  const was = lines.map((line) => line.trim()).join(' ');
  return `${file}:${start.line} ${mutant.mutatorName}: ${shown(was)} → ${shown(mutant.replacement ?? '')}${mutant.status === 'NoCoverage' ? ' (no test runs it)' : ''}`;
}

function shown(code: string): string {
  const text = code.replaceAll(/\s+/g, ' ');
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
