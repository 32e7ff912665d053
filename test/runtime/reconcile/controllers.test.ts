import { defineController, defineOperator } from 'keelson';
import { ConfigMap, Secret } from 'keelson/kinds';
import type { OperatorModel } from '../../../src/keelson/definition/index.js';
import { Cache } from '../../../src/runtime/cache/index.js';
import { createClient } from '../../../src/runtime/client/index.js';
import { connectionOf } from '../../../src/runtime/http/index.js';
import { type ControllerGround, Controllers } from '../../../src/runtime/reconcile/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { keptLog } from '../outside/kept-log.js';

const controllerFor = (name: string, kind: typeof ConfigMap | typeof Secret) =>
  defineController({ name, for: kind as typeof ConfigMap, reconcile: ({ done }) => done() });
const operator = defineOperator({
  name: 'copies',
  controllers: [controllerFor('first', ConfigMap), controllerFor('second', ConfigMap), controllerFor('secrets', Secret)],
}) as unknown as OperatorModel;

/** Controllers of a process that has not asked the API server for anything yet. */
function scene() {
  const clock = new FakeClock();
  const { log } = keptLog();
  const client = createClient({ connection: connectionOf({ server: 'https://127.0.0.1:1' }) });
  const cache = new Cache({ client, clock, log });
  const asked: string[] = [];
  const controllers = new Controllers(operator, ({ name }): ControllerGround => {
    asked.push(name);
    return { cache, client, clock, log, events: () => ({ normal: () => undefined, warning: () => undefined }) };
  });
  return { controllers, asked };
}

test('no controller of an operator goes without the ground of its process', () => {
  const { controllers, asked } = scene();
  expect(asked).toEqual(['first', 'second', 'secrets']);
  expect(controllers.all.map(({ name }) => name)).toEqual(asked);
});

test('an object is put to work for every controller of its kind, and for no other', () => {
  const { controllers } = scene();
  expect(controllers.for(ConfigMap).map(({ name }) => name)).toEqual(['first', 'second']);
  expect(controllers.for({ ...ConfigMap, group: 'other.example.com' })).toEqual([]);
});

test('controllers whose caches are not complete are neither idle nor settled, although nothing is under way', () => {
  const { controllers } = scene();
  expect(controllers.all.map(({ isIdle, isSettled }) => [isIdle, isSettled])).toEqual([
    [true, true],
    [true, true],
    [true, true],
  ]);
  expect([controllers.hasSynced, controllers.isIdle, controllers.isSettled]).toEqual([false, false, false]);
  expect(controllers.background).toEqual({ running: 0, signs: 0 });
});

test('a term that is over holds up none of them; closed ones take no more keys', async () => {
  const { controllers } = scene();
  await controllers.run({ stop: AbortSignal.abort(), abort: new AbortController().signal });
  controllers.close();
  const [first] = controllers.all;
  first?.enqueue({ namespace: 'shop', name: 'a' });
  expect(first?.queue.depth).toBe(0);
});
