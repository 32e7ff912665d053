import type { ParseArgsConfig } from 'node:util';

/** Completes one place of a command line: one of some words, a path, or a text that cannot be guessed. */
export type Completion = readonly string[] | 'file' | 'folder' | 'text';

/** All that is known of a command without loading it: its help, its options, what completes them. */
export interface CommandUsage {
  /** The page of `--help`. */
  readonly help: string;
  /** As `parseArgs` takes them. */
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** For each option that has a value. */
  readonly values: Readonly<Record<string, Completion>>;
  /** For each operand, by position. */
  readonly operands: readonly Completion[];
  /** Whether the last operand may be repeated. */
  readonly isRepeated?: boolean;
  /** Options that `--no-…` switches off. */
  readonly negatable?: readonly string[];
}
