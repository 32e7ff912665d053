import { mergePatch, type RunningCluster, type StoredOf } from '@keelson/testing';
import type { Operator } from 'keelson';
import { ConfigMap, PersistentVolumeClaim, Role } from 'keelson/kinds';
import { MemoryLog } from '../../harness/running-controller.js';
import { Adopter, HELD, type HeldKind, HOLDERS, type Holder, holderOperator } from './holders.js';

/** Children that the API server, or somebody else, holds as they are. */
export function heldChildren(start: (operator: Operator) => Promise<RunningCluster>): void {
  let cluster: RunningCluster;
  beforeAll(async () => {
    cluster = await start(holderOperator());
    // Anybody may bind a role without rules.
    for (const name of ['a', 'b']) await cluster.create(Role({ metadata: { name }, rules: [] }));
    await cluster.startOperator({ log: new MemoryLog() });
  });
  afterAll(() => cluster?.close());

  const conditionOf = ({ status }: StoredOf<Holder>, type: string) => status?.conditions?.find((condition) => condition.type === type);
  const isReady = (object: StoredOf<Holder>): boolean => {
    const ready = conditionOf(object, 'Ready');
    return ready?.status === 'True' && ready.observedGeneration === object.metadata.generation;
  };

  describe.each(Object.keys(HELD))('%s whose owner changes a field that cannot change', (handle) => {
    const { kind, field } = HELD[handle] as HeldKind;
    /** @returns the child as it was before its owner asked for the second turn */
    const changed = async (holder: Holder, name: string): Promise<StoredOf<typeof ConfigMap>> => {
      await cluster.create(holder({ metadata: { name }, spec: { child: handle } }));
      const before = await cluster.until(kind, name, 'present');
      await cluster.until(holder, name, isReady);
      await cluster.patch(holder, name, mergePatch({ spec: { turn: 'b' } }));
      return before;
    };

    test('by default the run fails, and the condition names the field', async () => {
      const name = `fail-${handle}`;
      const { metadata } = await changed(HOLDERS.fail, name);
      await cluster.until(HOLDERS.fail, name, (object) => {
        expect(conditionOf(object, 'Stalled')?.message).toMatch(field);
        expect(conditionOf(object, 'Stalled')?.message).toContain("onImmutable: 'recreate'");
      });
      expect((await cluster.get(kind, name)).metadata.uid).toBe(metadata.uid);
    });

    test("onImmutable: 'recreate': it is deleted and made anew, and its owner is ready", async () => {
      const name = `recreate-${handle}`;
      const { metadata } = await changed(HOLDERS.recreate, name);
      if (handle === 'claims') {
        // A finalizer protects claims, and no controller of volumes is here to take it away.
        await cluster.until(HOLDERS.recreate, name, (object) => {
          expect(conditionOf(object, 'Ready')?.status).toBe('False');
          expect(conditionOf(object, 'Reconciling')).toMatchObject({
            reason: 'Waiting',
            message: `PersistentVolumeClaim shop/${name} is being deleted, and is made anew when it is gone`,
          });
        });
        await cluster.patch(PersistentVolumeClaim, name, mergePatch({ metadata: { finalizers: null } }));
      }
      await cluster.until(kind, name, ({ metadata: { uid } }) => uid !== metadata.uid);
      await cluster.until(HOLDERS.recreate, name, isReady);
    });

    test("onImmutable: 'keep': it stays as it was, and its owner is ready", async () => {
      const name = `keep-${handle}`;
      const { metadata } = await changed(HOLDERS.keep, name);
      await cluster.until(HOLDERS.keep, name, isReady);
      expect((await cluster.get(kind, name)).metadata.uid).toBe(metadata.uid);
    });
  });

  describe('an object of the name that is there already', () => {
    const config = (name: string) => cluster.create(ConfigMap({ metadata: { name }, data: { by: 'somebody', old: 'stays' } }));

    test('is refused by name, is not changed, and outlives the owner', async () => {
      await config('taken');
      await cluster.create(HOLDERS.fail({ metadata: { name: 'taken' }, spec: { child: 'configs' } }));
      await cluster.until(HOLDERS.fail, 'taken', (object) =>
        expect(conditionOf(object, 'Reconciling')?.message).toContain('ConfigMap shop/taken is there already'),
      );
      await cluster.delete(HOLDERS.fail, 'taken');
      await cluster.until(HOLDERS.fail, 'taken', 'absent');
      const { data, metadata } = await cluster.get(ConfigMap, 'taken');
      expect([data, metadata.ownerReferences]).toEqual([{ by: 'somebody', old: 'stays' }, undefined]);
    });

    test("is taken over with adopt: 'unowned', without an owner that a garbage collector follows", async () => {
      await config('adopted');
      await cluster.create(Adopter({ metadata: { name: 'adopted' }, spec: { child: 'configs' } }));
      await cluster.until(Adopter, 'adopted', isReady);
      const { data, metadata } = await cluster.get(ConfigMap, 'adopted');
      expect([data, metadata.ownerReferences]).toEqual([{ by: 'us', turn: 'a', old: 'stays' }, undefined]);
    });
  });
}
