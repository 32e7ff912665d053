import { printable } from '@keelson/kubernetes/apimachinery';

/** ANSI colours of levels, for people. */
const COLOURS: Readonly<Record<string, number>> = { fatal: 31, error: 31, warn: 33, info: 32 };

/**
 * A line of the log as a person reads it: time of day, level, message, `name=value`; stacks of errors follow, indented.
 *
 * Texts of objects cannot move the terminal's cursor or colour it, nor turn the direction of what follows: such characters are shown escaped, in names of fields too.
 */
export function readableLine(json: string, hasColours: boolean): string {
  const { level, time, msg, ...fields } = JSON.parse(json) as Record<string, unknown>;
  const name = printable(String(level)).toUpperCase().padEnd(5);
  const colour = hasColours ? COLOURS[String(level)] : undefined;
  const shown = colour === undefined ? name : `\u001B[${colour}m${name}\u001B[0m`;
  const stacks: string[] = [];
  const pairs = Object.entries(fields).map(([key, value]) => `${wordText(key)}=${valueText(value, stacks)}`);
  const head = [printable(String(time).slice(11, 23)), shown, printable(String(msg)), ...pairs].join(' ');
  return `${[head, ...stacks.flatMap((stack) => stack.split('\n').map((line) => `    ${printable(line)}`))].join('\n')}\n`;
}

function valueText(value: unknown, stacks: string[]): string {
  if (typeof value === 'string') return wordText(value);
  return printable(JSON.stringify(errorText(value, stacks) ?? value));
}

/** In quotes unless it is one word. */
function wordText(text: string): string {
  return /^[^\s"=\p{Cc}]+$/u.test(text) ? printable(text) : printable(JSON.stringify(text));
}

/** The message of an error with its causes' messages; their stacks are collected. */
function errorText(value: unknown, stacks: string[]): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { message, stack, cause } = value as { message?: unknown; stack?: unknown; cause?: unknown };
  if (typeof message !== 'string' || typeof stack !== 'string') return undefined;
  stacks.push(stacks.length === 0 ? stack : `caused by ${stack}`);
  const causeText = typeof cause === 'string' ? cause : errorText(cause, stacks);
  return causeText === undefined ? message : `${message}: ${causeText}`;
}
