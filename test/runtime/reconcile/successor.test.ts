import { defineController, defineCustomResource, defineOperator, watch } from 'keelson';
import { z } from 'zod';
import { RunningController } from '../harness/running-controller.js';

const Ring = defineCustomResource({
  group: 'rings.example.com',
  kind: 'Ring',
  versions: { v1: { spec: z.object({}), status: z.object({ id: z.string().optional() }) } },
});

const runs: { readonly uid: string; readonly id: string | undefined }[] = [];
let onRun: () => void = () => undefined;

const rings = defineController({
  name: 'rings',
  for: Ring,
  watches: { rings: watch(Ring) },
  async reconcile({ object, rings: held, signal, done }) {
    const { uid, name } = object.metadata;
    runs.push({ uid, id: object.status?.id });
    onRun();
    // The first object is replaced while its run goes on.
    if (runs[0]?.uid === uid)
      while ([undefined, uid].includes(held.get(name)?.metadata.uid) && !signal.aborted)
        await new Promise((resolve) => setImmediate(resolve));
    return done({ status: { id: uid } });
  },
});

test('H46: the status of an object is not written to another one that has come under its name', async () => {
  const running = await RunningController.start(defineOperator({ name: 'ring-operator', controllers: [rings] }));
  try {
    const { cluster } = running;
    const begun = new Promise<void>((resolve) => {
      onRun = resolve;
    });
    const ring = Ring({ metadata: { name: 'a', namespace: 'shop' }, spec: {} });
    const first = await cluster.create(ring);
    await begun;
    await cluster.delete(Ring, 'shop/a');
    const second = await cluster.create(ring);
    await running.settled();
    expect((await cluster.get(Ring, 'shop/a')).status).toMatchObject({ id: second.metadata.uid });
    expect(runs[0]).toEqual({ uid: first.metadata.uid, id: undefined });
    expect(runs.find(({ uid }) => uid === second.metadata.uid)).toEqual({ uid: second.metadata.uid, id: undefined });
  } finally {
    await running.close();
  }
});
