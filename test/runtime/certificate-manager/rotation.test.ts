import { isInvalid } from '@keelson/testing';
import { WebhookServer } from '../../../src/runtime/admission/index.js';
import { systemClock } from '../../../src/runtime/clock/index.js';
import { type Replica, Scene, Shop, shopOperator } from './managed.js';

let scene: Scene;
beforeEach(async () => {
  scene = await Scene.start();
});
afterEach(() => scene.close());

const ROTATIONS = 12;
/** With the five minutes that a certificate is back-dated by, it is past two thirds of its life when it is issued: every look rotates. */
const AT_ONCE = { lifeMs: 60_000, checkMs: 10, propagationMs: 500 };

test('H61 certificates rotate under a steady stream of admissions and conversions, on two replicas: not one request fails', async () => {
  const replicas = [await scene.replica(AT_ONCE), await scene.replica(AT_ONCE)];
  const servers = await Promise.all(replicas.map((replica) => serve(replica)));
  const advance = (ms: number): void => {
    for (const { clock } of replicas) clock.advance(ms);
  };
  let [rotations, requests, denied, turn] = [0, 0, 0, 0];
  for (const { manager } of replicas) manager.onChange(() => rotations++);
  while (rotations < ROTATIONS * replicas.length) {
    // Now the one replica, now the other, as behind a Service.
    scene.cluster.serveWebhooksAt('shop-system/shop-webhook', servers[turn++ % 2]?.port);
    const batch = Array.from({ length: 6 }, async () => {
      const index = requests++;
      const name = `s${index}`;
      const created = await scene.cluster.create(Shop, { metadata: { name }, spec: { size: index * 2 + 1 } });
      expect(created.spec).toEqual({ size: index * 2 + 1, label: 'set' });
      expect((await scene.cluster.get(Shop.versions.v1beta1, name)).spec).toEqual({ replicas: index * 2 + 1 });
      const refused = await scene.cluster
        .create(Shop, { metadata: { name: `${name}-even` }, spec: { size: 2 } })
        .catch((error: unknown) => error);
      if (isInvalid(refused) && refused.message.includes('spec.size: Invalid value: 2: must be odd')) denied++;
      else throw refused;
      await scene.cluster.delete(Shop, name);
      // A replica that shows a new certificate rotates again at once.
      advance(0);
    });
    await Promise.all(batch);
    // Now no connection is left that was begun before a bundle was written: the replicas need not wait longer. They look again amid the next requests.
    advance(AT_ONCE.propagationMs);
  }
  expect([denied, scene.cluster.requests.denied().all]).toEqual([requests, []]);
  const warnings = replicas.flatMap(({ log }) => log.texts.filter((line) => !/^(info|debug)/.test(line)));
  expect(warnings).toEqual([]);
  for (const bundle of await scene.bundles()) expect((bundle.match(/BEGIN CERTIFICATE/g) ?? []).length).toBeLessThanOrEqual(8);
  await Promise.all(servers.map(({ server }) => server.stop()));
});

async function serve({ manager, log }: Replica): Promise<{ readonly port: number; readonly server: WebhookServer }> {
  manager.start();
  await manager.ready();
  const server = new WebhookServer({
    operator: shopOperator,
    port: 0,
    host: '127.0.0.1',
    certificate: manager,
    clock: systemClock,
    log,
    lingerMs: 0,
  });
  return { ...(await server.start()), server };
}
