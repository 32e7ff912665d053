import type { Events, Logger } from '../../../src/keelson/definition/index.js';
import { type EventObserver, EventRecorder } from '../../../src/runtime/events/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { EventStore } from './event-store.js';

export const MINUTE = 60_000;

export async function settle(): Promise<void> {
  for (let index = 0; index < 5; index += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Lets a recorder write all that waits. */
export async function drained(scene: Scene): Promise<void> {
  for (let seen = -1; seen !== scene.store.requests.length; ) {
    seen = scene.store.requests.length;
    await settle();
  }
}

/** A recorder with a store that a test makes answer as it likes. */
export class Scene {
  readonly store = new EventStore();
  readonly clock = new FakeClock();
  readonly logged: string[] = [];
  /** Of each line of the log. */
  readonly fields: object[] = [];
  readonly counted = { created: 0, continued: 0, dropped: 0, failed: 0 };
  readonly recorder: EventRecorder;

  constructor() {
    const line =
      (level: string) =>
      (message: string, fields: object = {}): void => {
        this.logged.push(`${level} ${message}`);
        this.fields.push(fields);
      };
    const log: Logger = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
    const count = (what: keyof EventObserver) => () => {
      this.counted[what] += 1;
    };
    const observer = { created: count('created'), continued: count('continued'), dropped: count('dropped'), failed: count('failed') };
    let next = 0;
    const random = (): number => {
      next = (next + 1) % 1_000;
      return next / 1_000;
    };
    this.recorder = new EventRecorder({ client: this.store.client, clock: this.clock, log, instance: 'pod-1', observer, random });
  }

  about(name: string, namespace: string | undefined = 'b', resourceVersion = '1'): Events {
    const metadata = { name, ...(namespace === undefined ? {} : { namespace }), uid: `uid of ${name}`, resourceVersion };
    return this.recorder.forController('website')({ apiVersion: 'example.com/v1', kind: 'Website', metadata });
  }

  async pass(ms: number, stepMs = MINUTE): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      this.clock.advance(Math.min(stepMs, ms - passed));
      await settle();
    }
  }
}
