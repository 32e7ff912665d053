import { mergePatch } from '@keelson/testing';
import { ControllerRevision, Deployment, MutatingWebhookConfiguration, Pod } from 'keelson/kinds';
import { hashesOf } from '../../../examples/sidecarset/hashes.js';
import { HASH_ANNOTATION, HASH_WITHOUT_IMAGE_ANNOTATION, SYSTEM_NAMESPACE } from '../../../examples/sidecarset/names.js';
import { hashesIn } from '../../../examples/sidecarset/pod-marks.js';
import { SidecarSet } from '../../../examples/sidecarset/sidecar-set.js';
import { servingCertificate, WebhookServer } from '../harness/index.js';
import { podOf, type SetSpec, type World } from './world.js';

/** Where Pod Security restricted rules. */
const restricted: NonNullable<Pod['spec']> = {
  securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [{ name: 'app', image: 'app:1', securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } }],
};

/** What becomes of SidecarSets and Pods that are created. */
export function injectionSuite(worldOf: () => World): void {
  let world: World;
  let cluster: World['cluster'];
  beforeAll(() => {
    world = worldOf();
    ({ cluster } = world);
  });

  test('2B-1: what is created is completed, and tells its hashes', async () => {
    await world.createSet('complete', { containers: [{ name: 'test-sidecar', image: 'test-image:v1', ports: [{ containerPort: 80 }] }] });
    const { metadata, spec } = await cluster.get(SidecarSet, 'complete');
    expect(spec.containers).toEqual([
      {
        name: 'test-sidecar',
        image: 'test-image:v1',
        ports: [{ containerPort: 80, protocol: 'TCP' }],
        imagePullPolicy: 'IfNotPresent',
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
      },
    ]);
    const { hash, hashWithoutImage } = hashesOf(spec);
    expect(metadata.annotations).toMatchObject({ [HASH_ANNOTATION]: hash, [HASH_WITHOUT_IMAGE_ANNOTATION]: hashWithoutImage });
    expect(spec.updateStrategy).toEqual({ type: 'RollingUpdate', paused: false, partition: 0, maxUnavailable: 1 });
  });

  test.each<[string, object, string]>([
    ['an empty selector', { selector: {} }, 'spec.selector: Invalid value'],
    ['no selector', { selector: undefined }, 'spec.selector: Required value'],
    ['no containers', { containers: [] }, 'spec.containers: Invalid value'],
    ['two containers of one name', { containers: [1, 2].map(() => ({ name: 'a', image: 'a:1' })) }, 'spec.containers[1]: Duplicate value'],
    ['no image', { containers: [{ name: 'a' }] }, 'spec.containers[0].image: Required value: must name an image'],
    [
      'a canary beside a partition',
      { updateStrategy: { selector: { matchLabels: { a: 'b' } }, partition: 1 } },
      'spec.updateStrategy.partition: Invalid value',
    ],
    ['a container name in upper case', { containers: [{ name: 'A', image: 'a:1' }] }, 'spec.containers[0].name: Invalid value'],
    [
      'a selector that nothing can meet',
      { selector: { matchExpressions: [{ key: 'a', operator: 'In', values: [] }] } },
      'spec.selector: Invalid value',
    ],
  ])('2B-2: %s is refused at its field', async (_, change, message) => {
    const spec = { selector: { matchLabels: { app: 'refused' } }, containers: [{ name: 'a', image: 'a:1' }], ...change } as SetSpec;
    await expect(cluster.create(SidecarSet({ metadata: { name: 'refused' }, spec }))).rejects.toThrow(message);
  });

  test('2B-2: a name that is not a label is refused', async () => {
    const spec = { selector: { matchLabels: { app: 'refused' } }, containers: [{ name: 'a', image: 'a:1' }] };
    await expect(cluster.create(SidecarSet({ metadata: { name: 'a.b' }, spec }))).rejects.toThrow('metadata.name: Invalid value: "a.b"');
  });

  test('2B-3: Pods of all namespaces get sidecars, but for those of the system and those that are labelled control-plane', async () => {
    await world.createSet('where');
    await world.inhabitable('plane', { 'control-plane': 'yes' });
    for (const namespace of ['shop', 'other', 'plane', 'kube-system']) await cluster.create(podOf('p', 'where', { namespace }));
    await cluster.create(podOf('p', 'where', { namespace: SYSTEM_NAMESPACE, spec: restricted }));
    expect(await world.containersOf('shop/p')).toEqual(['app', 'where-proxy']);
    expect(await world.containersOf('other/p')).toEqual(['app', 'where-proxy']);
    for (const namespace of ['plane', 'kube-system', SYSTEM_NAMESPACE]) expect(await world.containersOf(`${namespace}/p`)).toEqual(['app']);
    await world.untilCounts('where', 2, 2, 2);
  });

  test('2B-4: sidecars stand behind the containers of the Pod, know that they are injected, and are told in annotations', async () => {
    const containers = ['one', 'two'].map((name) => ({ name, image: 'proxy:1', env: [{ name: 'A', value: name }] }));
    const set = await world.createSet('order', { containers });
    const { metadata, spec } = await cluster.create(podOf('order', 'order'));
    expect(spec?.containers.map(({ name, env }) => [name, env])).toEqual([
      ['app', undefined],
      ...['one', 'two'].map((name) => [
        name,
        [
          { name: 'A', value: name },
          { name: 'IS_INJECTED', value: 'true' },
        ],
      ]),
    ]);
    const { hash, hashWithoutImage } = hashesOf(set.spec);
    const maps = [HASH_ANNOTATION, HASH_WITHOUT_IMAGE_ANNOTATION].map((key) => JSON.parse(metadata.annotations?.[key] ?? '') as unknown);
    expect(maps).toEqual([{ order: hash }, { order: hashWithoutImage }]);
  });

  test('2B-5: two SidecarSets add to one Pod', async () => {
    await world.createSet('first');
    await world.createSet('second', { selector: { matchLabels: { app: 'first' } } });
    const pod = await cluster.create(podOf('both', 'first'));
    expect(await world.containersOf('both')).toEqual(['app', 'first-proxy', 'second-proxy']);
    expect([hashesIn(pod, 'first'), hashesIn(pod, 'second')]).not.toContain(undefined);
    await world.untilCounts('first', 1, 1, 1);
    await world.untilCounts('second', 1, 1, 1);
  });

  test('2B-6: a Pod from before is not counted, and never changed', async () => {
    const older = await cluster.create(podOf('older', 'late'));
    await world.untilReady('older');
    await world.createSet('late');
    await world.useImage('late', 'proxy:2');
    await cluster.settled();
    expect(await world.countsOf('late')).toEqual([0, 0, 0]);
    expect((await cluster.get(Pod, 'older')).spec?.containers).toEqual(older.spec?.containers);
  });

  test('2B-8: a list shows how far the update is', async () => {
    await world.createSet('listed');
    await world.createPods('listed', 1);
    await world.untilCounts('listed', 1, 1, 1);
    const path = '/apis/apps.example.com/v1beta1/sidecarsets/listed';
    const table = await cluster.client.request({ method: 'GET', path, accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    const { columnDefinitions, rows } = table as { columnDefinitions: { name: string }[]; rows: { cells: unknown[] }[] };
    expect(columnDefinitions.map(({ name }) => name)).toEqual(['Name', 'Matched', 'Updated', 'Ready', 'Age']);
    expect(rows.map(({ cells }) => cells)).toEqual([['listed', 1, 1, 1, expect.stringMatching(/^\d+s$/)]]);
  });

  test('2B-9, 2B-10: the status is written as such, and speaks of the generation of the spec', async () => {
    const { metadata } = await world.createSet('generations');
    for (const generation of [2, 3]) {
      await world.useImage('generations', `proxy:${generation}`);
      expect((await cluster.get(SidecarSet, 'generations')).status?.observedGeneration).toBe(generation);
    }
    await cluster.settled();
    const after = await cluster.get(SidecarSet, 'generations');
    expect([metadata.generation, after.metadata.generation]).toEqual([1, 3]);
    const edited = { ...after, spec: { ...after.spec, injectionPaused: true }, status: { ...after.status, matchedPods: 7 } };
    const stored = await cluster.client.subresource(SidecarSet, 'status').update({ name: 'generations' }, edited);
    expect(stored).toMatchObject({ spec: { injectionPaused: false }, status: { matchedPods: 7 } });
    const { spec, metadata: unchanged } = await cluster.get(SidecarSet, 'generations');
    expect([spec.injectionPaused, unchanged.generation]).toEqual([false, 3]);
    // What somebody else has written into the status is put right with the next change.
    await world.useImage('generations', 'proxy:4');
    await world.untilCounts('generations', 0, 0, 0);
  });

  test('2B-16: of a SidecarSet that is deleted the revisions go and the sidecars stay; new Pods get none', async () => {
    await world.createSet('kept');
    const [pod = ''] = await world.createPods('kept', 1);
    await world.useImage('kept', 'proxy:2');
    const revisions = async () => {
      const all = await cluster.list(ControllerRevision, { namespace: SYSTEM_NAMESPACE });
      return all.filter(({ metadata }) => metadata.name.startsWith('kept-'));
    };
    await world.untilCounts('kept', 1, 1, 1);
    const both = await revisions();
    expect(both.map(({ revision = 0 }) => revision).sort((left, right) => left - right)).toEqual([1, 2]);
    const { status } = await cluster.get(SidecarSet, 'kept');
    expect(both.find(({ revision }) => revision === 2)?.metadata.name).toBe(status?.latestRevision);
    // A limit of none: the older one is idle, since the Pod has been updated.
    await world.change('kept', { revisionHistoryLimit: 0 });
    await world.eventually(async () => (await revisions()).length === 1);

    await cluster.delete(SidecarSet, 'kept');
    await world.eventually(async () => (await revisions()).length === 0);
    expect(await world.containersOf(pod)).toEqual(['app', 'kept-proxy']);
    await world.eventually(async () => {
      const shown = await cluster.create(podOf('kept-probe', 'kept'), { dryRun: true });
      return shown.spec?.containers.length === 1;
    });
  });

  test('2B-20: a dry run shows the sidecars, and counts for nothing', async () => {
    await world.createSet('dry');
    const shown = await cluster.create(podOf('dry-run', 'dry'), { dryRun: true });
    expect(shown.spec?.containers.map(({ name }) => name)).toEqual(['app', 'dry-proxy']);
    await cluster.settled();
    expect(await world.countsOf('dry')).toEqual([0, 0, 0]);
  });

  test('2B-21: one name for the containers of two SidecarSets is refused, and one that the Pod has itself', async () => {
    await world.createSet('taken');
    const again = { selector: { matchLabels: { team: 'a' } }, containers: [{ name: 'taken-proxy', image: 'a:1' }] };
    await expect(cluster.create(SidecarSet({ metadata: { name: 'again' }, spec: again }))).rejects.toThrow(
      'spec.containers[0].name: Invalid value: "taken-proxy": is taken by SidecarSet taken',
    );
    const pod = cluster.create(podOf('clash', 'taken', { spec: { containers: [{ name: 'taken-proxy', image: 'app:1' }] } }));
    await expect(pod).rejects.toThrow("spec.containers[0].name: Forbidden: 'taken-proxy' is the name of a sidecar of SidecarSet 'taken'");
  });

  test('metrics are for whom the role of their readers is given', async () => {
    expect((await world.metrics()).map(({ status }) => status)).toEqual([403, 403]);
    await world.allowMetrics();
    const answers = await world.metrics();
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('2B-22: asked again, because another webhook has changed the Pod, it adds nothing', async () => {
    await world.createSet('again');
    const certificate = servingCertificate(['localhost']);
    const other = await WebhookServer.listen(certificate);
    const patch = Buffer.from(JSON.stringify([{ op: 'add', path: '/metadata/labels/other', value: 'was-here' }])).toString('base64');
    other.answer('/label', () => ({ allowed: true, patchType: 'JSONPatch', patch }));
    // Its name is behind that of the operator's configuration: so is its turn.
    const name = 'z-other';
    await cluster.create(
      MutatingWebhookConfiguration({
        metadata: { name },
        webhooks: [
          {
            name: 'label.other.example.com',
            admissionReviewVersions: ['v1'],
            clientConfig: {
              url: `https://localhost:${other.port}/label`,
              caBundle: Buffer.from(certificate.certificate).toString('base64'),
            },
            rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
            objectSelector: { matchLabels: { app: 'again' } },
            sideEffects: 'None',
          },
        ],
      }),
    );
    try {
      await world.eventually(async () => {
        const { metadata } = await cluster.create(podOf('again-probe', 'again'), { dryRun: true });
        return metadata.labels?.['other'] === 'was-here';
      });
      const before = await world.reviewsOfPods();
      const { spec, metadata } = await cluster.create(podOf('again', 'again'));
      expect(await world.reviewsOfPods()).toBe(before + 2);
      expect([spec?.containers.map((container) => container.name), metadata.labels?.['other']]).toEqual([
        ['app', 'again-proxy'],
        'was-here',
      ]);
      expect(other.received.at(-1)?.request.object?.['spec']).toMatchObject({ containers: [{ name: 'app' }, { name: 'again-proxy' }] });
    } finally {
      await cluster.delete(MutatingWebhookConfiguration, name);
      await other.close();
    }
  });

  test('2B-24: Pods that a Deployment makes get sidecars too', async () => {
    await world.createSet('generated');
    const labels = { app: 'generated' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'app:1' }] } };
    await cluster.create(Deployment({ metadata: { name: 'web' }, spec: { replicas: 2, selector: { matchLabels: labels }, template } }));
    await cluster.until(Deployment, 'web', { status: { readyReplicas: 2 } });
    const pods = await cluster.list(Pod, { labels });
    expect(pods.map(({ spec }) => spec?.containers.length)).toEqual([2, 2]);
    await world.untilCounts('generated', 2, 2, 2);
  });

  test('2B-26: a container that is added later is completed as the first ones', async () => {
    await world.createSet('grown');
    await cluster.patch(
      SidecarSet,
      'grown',
      mergePatch({
        spec: {
          containers: [
            { name: 'grown-proxy', image: 'proxy:1' },
            { name: 'grown-more', image: 'more' },
          ],
        },
      }),
    );
    const { containers } = (await cluster.get(SidecarSet, 'grown')).spec;
    expect(containers[1]).toMatchObject({ imagePullPolicy: 'Always', terminationMessagePolicy: 'File' });
  });

  test('2B-28: the first version is served, and who writes it does not lose what it cannot say', async () => {
    const V1alpha1 = SidecarSet.versions.v1alpha1;
    await world.createSet('versions', { volumes: [{ name: 'v', emptyDir: {} }], updateStrategy: { partition: '20%' } });
    const old = await cluster.get(V1alpha1, 'versions');
    expect(Object.keys(old.spec).sort()).toEqual(['containers', 'paused', 'selector']);
    await cluster.update({ ...old, spec: { ...old.spec, paused: true, namespace: 'team' } } as typeof old);
    const { spec } = await cluster.get(SidecarSet, 'versions');
    expect(spec).toMatchObject({ volumes: [{ name: 'v' }], updateStrategy: { paused: true, partition: '20%' } });
    // And the other way round: what only the first version can say outlives a change in the second.
    await world.change('versions', { injectionPaused: true });
    expect((await cluster.get(V1alpha1, 'versions')).spec).toMatchObject({ paused: true, namespace: 'team' });
  });
}
