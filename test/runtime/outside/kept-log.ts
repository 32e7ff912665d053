import type { Logger } from '../../../src/keelson/definition/index.js';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
}

/** Keeps its lines. */
export function keptLog(): { readonly log: Logger; readonly lines: LogLine[]; readonly at: (...levels: LogLine['level'][]) => string[] } {
  const lines: LogLine[] = [];
  const take =
    (level: LogLine['level']) =>
    (message: string): void =>
      void lines.push({ level, message });
  const log: Logger = { debug: take('debug'), info: take('info'), warn: take('warn'), error: take('error') };
  return { log, lines, at: (...levels) => lines.filter(({ level }) => levels.includes(level)).map(({ message }) => message) };
}
