import { ControllerRevision, Pod } from 'keelson/kinds';
import { isNotFound, mergePatch } from 'keelson/testing';
import { SYSTEM_NAMESPACE } from '../../../../examples/sidecarset/names.js';
import { hashesIn } from '../../../../examples/sidecarset/pod-marks.js';
import { SidecarSet } from '../../../../examples/sidecarset/sidecar-set.js';
import { operator } from '../../../../examples/sidecarset/sidecarset-operator.js';
import type { Scenario, Stage } from '../scenario.js';

type Spec = Parameters<typeof SidecarSet>[0]['spec'];

const setOf = (name: string, image: string): Spec => ({
  selector: { matchLabels: { app: name } },
  containers: [{ name: `${name}-proxy`, image }],
  revisionHistoryLimit: 1,
});

/** Who writes while no webhook answers is refused, and tries again. */
async function insistently(stage: Stage, what: string, write: () => Promise<unknown>): Promise<void> {
  await stage.until(what, () =>
    write().then(
      () => true,
      (error: unknown) => {
        if ((error as { status?: { code?: number } }).status?.code === 500) return false;
        throw error;
      },
    ),
  );
}

async function podOf({ client, namespace }: Stage, name: string): Promise<Pod | undefined> {
  return client.get(Pod, { namespace, name }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
}

/** A Pod that comes before its webhook knows of the SidecarSet stays without sidecars, by design: its owner would replace it. */
async function createPod(stage: Stage, name: string, app = 'web'): Promise<void> {
  const { client, namespace } = stage;
  const manifest = Pod({ metadata: { namespace, name, labels: { app } }, spec: { containers: [{ name: 'app', image: 'app:1' }] } });
  await stage.until(`Pod ${name} has sidecars`, async () => {
    const pod = await podOf(stage, name);
    if (pod !== undefined && hashesIn(pod, app) !== undefined) return true;
    if (pod !== undefined) await client.delete(Pod, { namespace, name }, { gracePeriodSeconds: 0 });
    await insistently(stage, `Pod ${name} is created`, () => client.create(Pod, manifest as never));
    return false;
  });
}

/** A revision is made for what was looked at: who changes the image twice within a moment has no right to the first. */
async function useImage(stage: Stage, image: string): Promise<void> {
  const { client } = stage;
  const { containers } = setOf('web', image);
  await insistently(stage, `the image is ${image}`, () => client.patch(SidecarSet, { name: 'web' }, mergePatch({ spec: { containers } })));
  await observed(stage);
}

async function observed(stage: Stage): Promise<void> {
  await stage.until('the spec is observed', async () => {
    const { metadata, status } = await stage.client.get(SidecarSet, { name: 'web' });
    return status?.observedGeneration === metadata.generation && status?.latestRevision !== undefined;
  });
}

/** What of the Pods does not depend on how often their containers were started. */
async function podsOf({ client, namespace }: Stage): Promise<unknown> {
  const { items } = await client.list(Pod, { namespace });
  return items
    .map((pod) => ({
      name: pod.metadata.name,
      labels: pod.metadata.labels,
      hashes: hashesIn(pod, 'web'),
      containers: pod.spec?.containers.map(({ name, image }) => `${name} ${image}`),
      running: pod.status?.containerStatuses?.map(({ name, image, ready }) => `${name} ${image} ${ready}`),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The example, with its webhooks: Pods get sidecars as they are created and others while they run, and revisions are numbered, kept and cleared away. */
export const sidecarset: Scenario = {
  name: 'sidecarset',
  kinds: [SidecarSet, ControllerRevision],
  cluster: { operatorNamespace: SYSTEM_NAMESPACE, kind: SidecarSet },
  perform: () => ({
    operator,
    outside: podsOf,
    mortal: [/^other-/],
    steps: [
      async (stage) => {
        const web = SidecarSet({ metadata: { name: 'web' }, spec: setOf('web', 'proxy:1') });
        await insistently(stage, 'web is created', () => stage.client.create(SidecarSet, web as never));
        await observed(stage);
      },
      (stage) => createPod(stage, 'a'),
      (stage) => createPod(stage, 'b'),
      (stage) => useImage(stage, 'proxy:2'),
      (stage) => createPod(stage, 'c'),
      ({ client, namespace }) => client.delete(Pod, { namespace, name: 'a' }, { gracePeriodSeconds: 0 }),
      (stage) =>
        insistently(stage, 'other is created', () =>
          stage.client.create(SidecarSet, { metadata: { name: 'other' }, spec: setOf('other', 'proxy:1') }),
        ),
      (stage) => useImage(stage, 'proxy:3'),
      async (stage) => {
        const { client, namespace } = stage;
        // One that leaves keeps the sidecars that it has.
        await stage.until('b is updated', async () => (await podOf(stage, 'b'))?.spec?.containers[1]?.image === 'proxy:3');
        await client.patch(Pod, { namespace, name: 'b' }, mergePatch({ metadata: { labels: { app: 'left' } } }));
      },
      ({ client }) => client.delete(SidecarSet, { name: 'other' }),
      (stage) => createPod(stage, 'd'),
    ],
  }),
};
