import { type CommandUsage, type Completion, SUMMARIES, USAGES } from '../usage/index.js';

/** An option as a shell completes it. */
export interface CompletedOption {
  /** `--mode`. */
  readonly long: string;
  /** `-m`; `undefined` for an option without a short form. */
  readonly short: string | undefined;
  /** `undefined` for a switch, which has no value. */
  readonly value: Completion | undefined;
  readonly isMultiple: boolean;
}

/** A command as a shell completes it. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  readonly operands: readonly Completion[];
  readonly isRepeated: boolean;
}

export function completedCommands(): readonly CompletedCommand[] {
  return (Object.keys(SUMMARIES) as (keyof typeof SUMMARIES)[]).map((name) => completedCommand(name, USAGES[name]));
}

function completedCommand(name: keyof typeof SUMMARIES, usage: CommandUsage): CompletedCommand {
  return {
    name,
    summary: SUMMARIES[name],
    options: optionsOf(usage),
    operands: usage.operands,
    isRepeated: usage.isRepeated === true,
  };
}

function optionsOf({ options, values, negatable = [] }: CommandUsage): readonly CompletedOption[] {
  return Object.entries(options).flatMap(([name, { type, short, multiple }]) => {
    const option: CompletedOption = {
      long: `--${name}`,
      short: short === undefined ? undefined : `-${short}`,
      value: type === 'string' ? (values[name] ?? 'text') : undefined,
      isMultiple: multiple === true,
    };
    if (!negatable.includes(name)) return [option];
    return [option, { long: `--no-${name}`, short: undefined, value: undefined, isMultiple: false }];
  });
}

/** The forms of an option: `--mode`, `-m`. */
export function formsOf({ long, short }: CompletedOption): readonly string[] {
  return short === undefined ? [long] : [long, short];
}
