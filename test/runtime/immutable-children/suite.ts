import { defineController, defineCustomResource, defineOperator, k, type Operator, own } from 'keelson';
import { ConfigMap, Deployment, Job, PersistentVolumeClaim, Pod, Role, RoleBinding, Secret, Service, StatefulSet } from 'keelson/kinds';
import { mergePatch, type RunningCluster, type StoredOf } from 'keelson/testing';
import { z } from 'zod';
import { MemoryLog } from '../harness/running-controller.js';

const Holder = defineCustomResource({
  group: 'immutable.example.com',
  kind: 'Holder',
  versions: {
    v1: { spec: z.object({ turn: k.int32().default(0) }), status: z.object({ conditions: k.conditions() }) },
  },
});

const podSpec = (image: string) => ({ restartPolicy: 'Never', containers: [{ name: 'a', image }] }) as const;
const claimSpec = (storage: string) =>
  ({ accessModes: ['ReadWriteOnce'], storageClassName: storage, resources: { requests: { storage: '1Gi' } } }) as const;
const metadata = { name: 'child' };
const template = (app: string) => ({ metadata: { labels: { app } }, spec: { containers: [{ name: 'a', image: 'a:1' }] } });

/** A kind, its content in each turn, and the field that the API server keeps. Turns differ in that field alone. */
const KINDS: readonly (readonly [string, unknown, (turn: 'a' | 'b') => object, RegExp])[] = [
  ['Job', Job, (turn) => Job({ metadata, spec: { template: { spec: podSpec(turn) } } }), /spec\.template/],
  ['Pod', Pod, (turn) => Pod({ metadata, spec: { ...podSpec('a'), hostname: turn } }), /spec/],
  ['PersistentVolumeClaim', PersistentVolumeClaim, (turn) => PersistentVolumeClaim({ metadata, spec: claimSpec(turn) }), /spec/],
  ['Secret', Secret, (turn) => Secret({ metadata, immutable: true, stringData: { key: turn } }), /data/],
  ['ConfigMap', ConfigMap, (turn) => ConfigMap({ metadata, immutable: true, data: { key: turn } }), /data/],
  [
    'StatefulSet',
    StatefulSet,
    (turn) =>
      StatefulSet({
        metadata,
        spec: { serviceName: turn, replicas: 0, selector: { matchLabels: { app: 'a' } }, template: template('a') },
      }),
    /spec/,
  ],
  [
    'Deployment',
    Deployment,
    (turn) => Deployment({ metadata, spec: { replicas: 0, selector: { matchLabels: { app: turn } }, template: template(turn) } }),
    /spec\.selector/,
  ],
  [
    'Service',
    Service,
    (turn) =>
      Service({ metadata, spec: { selector: { app: 'a' }, clusterIP: turn === 'a' ? 'None' : '10.0.0.77', ports: [{ port: 80 }] } }),
    /spec\.clusterIP/,
  ],
  [
    'RoleBinding',
    RoleBinding,
    (turn) =>
      RoleBinding({
        metadata,
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: turn },
        subjects: [{ kind: 'ServiceAccount', name: 'a', namespace: 'shop' }],
      }),
    /roleRef/,
  ],
];

/** Changes of fields that the API server keeps, for each way that a definition may name. */
export function immutableChildren(start: (operator: Operator) => Promise<RunningCluster>): void {
  let cluster: RunningCluster;
  const log = new MemoryLog();
  afterEach(() => cluster?.close());

  /** A child of the first turn, whose owner then asks for the second. */
  const changed = async (kind: unknown, content: (turn: 'a' | 'b') => object, onImmutable: 'fail' | 'recreate' | 'keep') => {
    const controller = defineController({
      name: 'holder',
      for: Holder,
      owns: { children: own(kind as typeof ConfigMap, { onImmutable }) },
      reconcile: ({ object, done }) => done({ owned: { children: [content(object.spec.turn === 0 ? 'a' : 'b') as ConfigMap] } }),
    });
    log.lines.length = 0;
    cluster = await start(defineOperator({ name: 'holder-operator', controllers: [controller] }));
    await cluster.startOperator({ log });
    // Without rules anybody may bind them.
    for (const name of ['a', 'b']) await cluster.create(Role({ metadata: { name }, rules: [] }));
    await cluster.create(Holder({ metadata: { name: 'h' }, spec: {} }));
    const before = await cluster.until(kind as typeof ConfigMap, 'child', 'present');
    await cluster.until(Holder, 'h', { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
    await cluster.patch(Holder, 'h', mergePatch({ spec: { turn: 1 } }));
    return { before, now: () => cluster.get(kind as typeof ConfigMap, 'child') };
  };
  const isDone = ({ metadata: { generation }, status }: StoredOf<typeof Holder>): boolean =>
    status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True' && one.observedGeneration === generation) === true;

  describe.each(KINDS)('%s', (_, kind, content, field) => {
    test('by default the run fails, and the condition names the field', async () => {
      const { before, now } = await changed(kind, content, 'fail');
      await cluster.until(Holder, 'h', ({ status }) => {
        const stalled = status?.conditions?.find(({ type }) => type === 'Stalled');
        expect(stalled?.message).toMatch(field);
        expect(stalled?.message).toContain("onImmutable: 'recreate'");
      });
      expect((await now()).metadata).toMatchObject({ uid: before.metadata.uid });
    });

    test("onImmutable: 'recreate': it is deleted and made anew, and its owner is ready", async () => {
      const { before } = await changed(kind, content, 'recreate');
      if (kind === PersistentVolumeClaim) {
        // A finalizer protects claims, and no controller of volumes is here to take it away.
        await cluster.until(Holder, 'h', {
          status: {
            conditions: [
              { type: 'Ready', status: 'False' },
              { type: 'Reconciling', reason: 'Waiting' },
            ],
          },
        });
        await cluster.patch(PersistentVolumeClaim, 'child', mergePatch({ metadata: { finalizers: null } }));
      }
      await cluster.until(kind as typeof ConfigMap, 'child', ({ metadata: { uid } }) => uid !== before.metadata.uid);
      await cluster.until(Holder, 'h', isDone);
    });

    test("onImmutable: 'keep': it stays as it was, and its owner is ready", async () => {
      const { before, now } = await changed(kind, content, 'keep');
      await cluster.until(Holder, 'h', isDone);
      expect((await now()).metadata).toMatchObject({ uid: before.metadata.uid });
    });
  });
}
