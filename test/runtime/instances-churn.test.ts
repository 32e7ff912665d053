import { FakeClock, isApiError, mergePatch, type RunningOperator, TestCluster } from '@keelson/testing';
import { permissionsOf } from 'keelson';
import { ClusterRole, ConfigMap } from 'keelson/kinds';
import { forgotten, operator, Tenant } from '../cluster/instances/operator.js';
import { eventually } from '../eventually.js';
import { MemoryLog } from './harness/running-controller.js';

const SEEDS = 200;
const STEPS = 12;
/** Longer than an instance waits before it lets go. */
const HANDOVER_MS = 6_000;
const CLASSES = ['blue', 'green', 'red'] as const;
/** Nobody serves the third. */
const SERVED = ['blue', 'green'] as const;

/** Numbers in [0, 1) that a seed determines. */
function drawsOf(seed: number): () => number {
  let state = seed * 2_654_435_769;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

async function ifThere<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isApiError(error) && error.httpStatus === 404) return undefined;
    throw error;
  }
}

/** What must be true of an object in the end; the words for what is not. */
async function wrongWith(cluster: TestCluster, name: string, className: string | undefined): Promise<string | undefined> {
  const tenant = await ifThere(cluster.get(Tenant, name));
  if (tenant === undefined) return className === undefined ? undefined : 'is gone';
  if (className === undefined) return `is not gone: ${tenant.metadata.finalizers?.join()}`;
  const finalizers = tenant.metadata.finalizers?.join() ?? '';
  if (className === 'red') return finalizers === '' ? undefined : `is held by ${finalizers}`;
  if (finalizers !== `hosting.example.com/tenants_${className}`) return `of ${className} is held by ${finalizers}`;
  const child = await ifThere(cluster.get(ConfigMap, name));
  const [manager] = child?.metadata.annotations?.['keelson.dev/applied']?.split(':') ?? [];
  return manager === `${className}/tenants` ? undefined : `of ${className} has a child of ${manager ?? 'nobody'}`;
}

test(`in ${SEEDS} seeds of changed classes, deletions and restarts, each object is with its instance in the end, and what was held is cleaned up by one`, async () => {
  const clock = new FakeClock();
  const cluster = await TestCluster.start({ operator, namespace: 'shop', clock });
  const log = new MemoryLog();
  const running = new Map<string, RunningOperator>();
  const start = async (instance: string): Promise<void> =>
    void running.set(instance, await cluster.startOperator({ log, settings: { instance, selector: `class=${instance}` } }));
  const restart = async (instance: string): Promise<void> => {
    const stopped = running.get(instance)?.stop();
    await eventually(async () => {
      clock.advance(1_000);
      return (await Promise.race([stopped?.then(() => true), new Promise((resolve) => setImmediate(resolve))])) === true;
    });
    await start(instance);
  };
  try {
    await cluster.patch(
      ClusterRole,
      operator.name,
      mergePatch({ rules: [...permissionsOf(operator, { isSelective: true }).cluster] }) as never,
    );
    for (const instance of SERVED) await start(instance);
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const draw = drawsOf(seed);
      const pick = <T>(items: readonly T[]): T => items[Math.floor(draw() * items.length)] as T;
      forgotten.length = 0;
      const held: string[] = [];
      const classes = new Map<string, string | undefined>(['a', 'b', 'c'].map((name) => [`${name}${seed}`, pick(SERVED)]));
      for (const [name, className] of classes)
        await cluster.create(Tenant({ metadata: { name, labels: { class: className ?? '' } }, spec: {} }));
      for (let step = 0; step < STEPS; step += 1) {
        const name = pick([...classes.keys()]);
        const chance = draw();
        if (chance < 0.04) await restart(pick(SERVED));
        else if (classes.get(name) !== undefined && chance < 0.14) {
          classes.set(name, undefined);
          await cluster.delete(Tenant, name);
          if ((await ifThere(cluster.get(Tenant, name))) !== undefined || forgotten.some((text) => text.startsWith(`${name} `)))
            held.push(name);
        } else if (classes.get(name) !== undefined) {
          const className = pick(CLASSES);
          classes.set(name, className);
          await cluster.patch(Tenant, name, mergePatch({ metadata: { labels: { class: className } } }) as never);
        }
        for (let turns = Math.floor(draw() * 20); turns > 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve));
      }
      let wrong: readonly string[] | undefined;
      let asked: Promise<void> | undefined;
      const ask = async (): Promise<void> => {
        clock.advance(HANDOVER_MS);
        const found = await Promise.all(
          [...classes].map(async ([name, className]) => [name, await wrongWith(cluster, name, className)] as const),
        );
        wrong = found.flatMap(([name, words]) => (words === undefined ? [] : [`${name} ${words}`]));
      };
      await eventually(
        () => {
          asked ??= ask().finally(() => {
            asked = undefined;
          });
          return wrong?.length === 0;
        },
        () => `seed ${seed}: ${wrong?.join('; ')}\n${log.texts.slice(-20).join('\n')}`,
      );
      await asked;
      // A process that ends amid a cleanup leaves it to the next of its instance: twice by one is allowed, never once by each.
      const cleaned = [...new Set(forgotten)].filter((text) => [...classes.keys()].some((name) => text.startsWith(`${name} `)));
      expect([seed, cleaned.length, new Set(cleaned.map((text) => text.split(' ')[0]))]).toEqual([seed, held.length, new Set(held)]);
    }
  } finally {
    await cluster.close();
  }
});
