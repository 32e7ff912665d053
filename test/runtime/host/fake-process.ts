import { EventEmitter } from 'node:events';
import type { HostProcess } from '../../../src/runtime/host/index.js';

/** A process that hears signals and does not end. */
export class FakeProcess implements HostProcess {
  readonly #events = new EventEmitter();
  readonly env: Readonly<Record<string, string>>;
  readonly exits: number[] = [];
  exitCode: number | string | null | undefined = undefined;

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.env = env;
  }

  on(event: string, listener: (value: never) => void): void {
    this.#events.on(event, listener as (value: unknown) => void);
  }

  off(event: string, listener: (value: never) => void): void {
    this.#events.off(event, listener as (value: unknown) => void);
  }

  emit(event: string, value: unknown = event): void {
    this.#events.emit(event, value);
  }

  /** What somebody listens to. */
  eventNames(): readonly (string | symbol)[] {
    return this.#events.eventNames();
  }

  exit(code: number): void {
    this.exits.push(code);
  }
}
