import type { Logger, LogLevel } from 'keelson/internal/definition';
import type { Logger as PinoLogger } from 'pino';
import { type Clock, systemClock } from '../clock/index.js';
import { type Fields, type SafeFields, safeFields, safeText } from './log-fields.js';
import { readableLine } from './readable-line.js';

/** The {@link Logger} that stations and reconcilers get, and what the process itself needs beyond it. */
export interface Log extends Logger {
  /** The last words of a process that ends: written at every level. */
  fatal(message: string, fields?: Fields): void;
  /** The least that is written, from now on, by this log and all its children. */
  level: LogLevel;
  /** A log whose lines carry these fields too: `controller`, `object` and `reconcileID` of a reconcile. */
  child(fields: Fields): Log;
}

export interface LogOptions {
  /** The least that is written. `trace` and `debug` are one: nothing is written below `debug`. @defaultValue `info` */
  readonly level?: LogLevel | undefined;
  /** Gets whole lines with their line feeds. @defaultValue standard output, written before the call returns, so that the last words are not lost */
  readonly write?: ((line: string) => void) | undefined;
  /** `text` for people, `json` for machines. @defaultValue `text` if standard output is a terminal and `write` is not given */
  readonly format?: 'json' | 'text' | undefined;
  readonly clock?: Clock | undefined;
}

/** Keys that every line has: fields of these names would be there twice, and which one counts differs between readers of JSON. */
const OWN_KEYS: ReadonlySet<string> = new Set(['level', 'time', 'msg']);

/**
 * Makes the log of a process: one JSON object per line (`level`, `time`, `msg`, then the fields), by pino.
 *
 * Guarantees: no call throws, whatever the fields are; a line is bounded in size; an error shows with its stack and its causes; Kubernetes objects show as
 * references, and what looks like a credential is masked ({@link safeFields}).
 * Pino is loaded when the first log is made: programs that only import the runtime do not pay for it.
 */
export async function createLog({ level = 'info', write, format, clock = systemClock }: LogOptions = {}): Promise<Log> {
  const { pino } = await import('pino');
  const isText = format === undefined ? write === undefined && process.stdout.isTTY === true : format === 'text';
  const settings = {
    level,
    base: null, // the pod's name and the process's id: collectors of pod logs add them
    timestamp: () => `,"time":"${new Date(clock.wallMs()).toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const standardOutput = write === undefined ? pino.destination({ fd: 1, sync: true }) : undefined;
  const writeLine = write ?? ((line: string): void => void standardOutput?.write(line));
  const hasColours = write === undefined && process.env['NO_COLOR'] === undefined;
  const text = (line: string): void => writeLine(readableLine(line, hasColours));
  return new PinoLog(pino(settings, isText ? { write: text } : (standardOutput ?? { write: writeLine })), {});
}

type Level = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

class PinoLog implements Log {
  readonly #pino: PinoLogger;
  readonly #bound: SafeFields;

  constructor(pino: PinoLogger, bound: SafeFields) {
    this.#pino = pino;
    this.#bound = bound;
  }

  get level(): LogLevel {
    return this.#pino.level as LogLevel;
  }

  set level(level: LogLevel) {
    this.#pino.level = level;
  }

  debug(message: string, fields?: Fields): void {
    this.#write('debug', message, fields);
  }

  info(message: string, fields?: Fields): void {
    this.#write('info', message, fields);
  }

  warn(message: string, fields?: Fields): void {
    this.#write('warn', message, fields);
  }

  error(message: string, fields?: Fields): void {
    this.#write('error', message, fields);
  }

  fatal(message: string, fields?: Fields): void {
    this.#write('fatal', message, fields);
  }

  child(fields: Fields): Log {
    return new PinoLog(this.#pino, { ...this.#bound, ...apart(safeFields(fields)) });
  }

  #write(level: Level, message: string, fields: Fields | undefined): void {
    if (!this.#pino.isLevelEnabled(level)) return;
    // One object, not a child of pino's: a field that the child has too would be written twice.
    const all = fields === undefined ? this.#bound : { ...this.#bound, ...apart(safeFields(fields)) };
    this.#pino[level](all, safeText(message));
  }
}

function apart(fields: SafeFields): SafeFields {
  if (!Object.keys(fields).some((key) => OWN_KEYS.has(key))) return fields;
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [OWN_KEYS.has(key) ? `${key}_` : key, value]));
}
