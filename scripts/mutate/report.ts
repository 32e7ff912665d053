import { keyOf } from './mutant-key.js';

/** The part of a mutation report (mutation-testing-report-schema) that is looked at. */
export interface MutationReport {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: 'Killed' | 'Survived' | 'NoCoverage' | 'Timeout' | 'CompileError' | 'RuntimeError' | 'Ignored' | 'Pending';
  /** The message of the first test that failed. */
  readonly statusReason?: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

export interface Outcome {
  /** Mutants that were tried. */
  readonly tried: number;
  readonly noticed: number;
  /** Mutants noticed by a time limit, which a busy machine exceeds too. */
  readonly byTimeLimit: number;
  /** One line each: place, mutator, what became what. */
  readonly survivors: readonly string[];
}

const NOTICED: ReadonlySet<string> = new Set(['Killed', 'Timeout']);
const UNNOTICED: ReadonlySet<string> = new Set(['Survived', 'NoCoverage']);

/** Jest's message for a test that did not end within its time. */
const TEST_TIME_LIMIT = /Exceeded timeout of \d+ ms/;

/**
 * @param sample keys of the mutants that count; all if undefined
 * @throws Error if there was nothing to mutate: a score of nothing says nothing
 */
export function outcomeOf({ files }: MutationReport, sample?: readonly string[]): Outcome {
  const wanted = sample && new Set(sample);
  const all = Object.entries(files)
    .flatMap(([file, { source, mutants }]) => mutants.map((mutant) => ({ file, source, mutant })))
    .filter(({ file, mutant }) => wanted === undefined || wanted.has(keyOf(file, mutant)));
  const noticed = all.filter(({ mutant }) => NOTICED.has(mutant.status));
  const survivors = all.filter(({ mutant }) => UNNOTICED.has(mutant.status));
  const tried = noticed.length + survivors.length;
  if (tried === 0) throw new Error('no mutant was tried: the folder has no code, or its tests fail without any change');
  const byTimeLimit = noticed.filter(({ mutant }) => mutant.status === 'Timeout' || TEST_TIME_LIMIT.test(mutant.statusReason ?? '')).length;
  return { tried, noticed: noticed.length, byTimeLimit, survivors: survivors.map(lineOf) };
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
