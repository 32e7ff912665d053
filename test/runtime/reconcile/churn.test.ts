import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { mergePatch } from '@keelson/testing';
import { ConfigMap, Deployment, Service } from 'keelson/kinds';
import { type Clock, systemClock } from '../../../src/runtime/clock/index.js';
import { RunningController } from '../harness/running-controller.js';
import { Website, websiteOperator } from './website.js';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Real time, which knows what has been scheduled and has neither come nor been taken back. */
class CountingClock implements Clock {
  readonly pending = new Set<object>();
  readonly monotonicMs = systemClock.monotonicMs;
  readonly wallMs = systemClock.wallMs;

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = {};
    this.pending.add(timer);
    const cancel = systemClock.schedule(delayMs, () => {
      this.pending.delete(timer);
      callback();
    });
    return () => {
      this.pending.delete(timer);
      cancel();
    };
  }
}

/** The signals that live long: a listener that stays on one of them stays for ever. */
class LongLived {
  readonly #listenedTo = new Set<WeakRef<AbortSignal>>();

  constructor() {
    const known = new WeakSet<AbortSignal>();
    const note = (target: EventTarget): void => {
      if (!(target instanceof AbortSignal) || known.has(target)) return;
      known.add(target);
      this.#listenedTo.add(new WeakRef(target));
    };
    const listen = EventTarget.prototype.addEventListener;
    jest.spyOn(EventTarget.prototype, 'addEventListener').mockImplementation(function (this: EventTarget, ...given) {
      note(this);
      listen.apply(this, given);
    });
  }

  /** Those that have been listened to so far and are neither aborted nor forgotten. */
  get signals(): readonly AbortSignal[] {
    gc();
    return [...this.#listenedTo].flatMap((signal) => signal.deref() ?? []).filter(({ aborted }) => !aborted);
  }
}

function listenersOf(signals: readonly AbortSignal[]): number {
  return signals.reduce((sum, signal) => sum + getEventListeners(signal, 'abort').length, 0);
}

const SITES = 6;
const names = Array.from({ length: SITES }, (_, index) => `site-${index}`);
const site = (name: string) => Website({ metadata: { name }, spec: { title: name } });

/** Changes, deleted children, objects that go and come anew, watches that break: what the soak of the benchmarks does for a quarter of an hour. */
async function round(running: RunningController, number: number): Promise<void> {
  const { cluster } = running;
  // What follows is seen by the next watches only.
  if (number % 2 === 1) for (const watch of [Website, ConfigMap]) cluster.faults.drop({ watch });
  for (const name of names) await cluster.patch(Website, name, mergePatch({ spec: { title: `${name} ${number}` } }));
  for (const [index, kind] of [ConfigMap, Deployment, Service].entries()) await cluster.delete(kind, `site-${index}`);
  await cluster.delete(Website, 'site-5');
  await cluster.until(ConfigMap, 'site-5', 'absent');
  await cluster.create(site('site-5'));
  for (const name of names)
    await cluster.until(Website, name, ({ metadata, status }) => status?.observedGeneration === metadata.generation);
  await cluster.until(ConfigMap, 'site-0', 'present');
  await running.settled();
}

test('after a churn as many timers and listeners are left as before it', async () => {
  const longLived = new LongLived();
  const clock = new CountingClock();
  const running = await RunningController.start(websiteOperator, { clock });
  try {
    for (const name of names) await running.cluster.create(site(name));
    // A round deletes children: they have to be there.
    await running.settled();
    // What is made once is made now.
    for (let number = 0; number < 2; number += 1) await round(running, number);
    const { signals } = longLived;
    const before = { timers: clock.pending.size, listeners: listenersOf(signals) };
    expect(before.listeners).toBeGreaterThan(0);
    for (let number = 2; number < 5; number += 1) await round(running, number);
    expect({ timers: clock.pending.size, listeners: listenersOf(signals) }).toEqual(before);
    // With what went wrong, if something has.
    expect(
      running.log.lines.filter(({ level }) => level === 'error').map(({ message, fields }) => [message, String(fields['error'])]),
    ).toEqual([]);
  } finally {
    await running.close();
    jest.restoreAllMocks();
  }
});
