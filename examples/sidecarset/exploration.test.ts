import { type ExplorationStage, explore, isAlreadyExists, mergePatch } from '@keelson/testing';
import { ControllerRevision, Namespace, Pod } from 'keelson/kinds';
import { SYSTEM_NAMESPACE } from './names.js';
import { hashesIn } from './pod-marks.js';
import { SidecarSet } from './sidecar-set.js';
import { operator } from './sidecarset-operator.js';

const containersOf = (image: string) => [{ name: 'proxy', image }];
const sidecarSet = (name: string) =>
  SidecarSet({
    metadata: { name },
    spec: { selector: { matchLabels: { app: name } }, containers: containersOf('proxy:1'), revisionHistoryLimit: 1 },
  });

/** A Pod that comes before its webhook knows of the SidecarSet stays without sidecars, by design: its owner replaces it. */
async function createPod(stage: ExplorationStage<unknown>, name: string): Promise<void> {
  const { cluster } = stage;
  // The volume of a token has a name that is drawn.
  const spec = { automountServiceAccountToken: false, containers: [{ name: 'app', image: 'app:1' }] };
  const manifest = Pod({ metadata: { name, labels: { app: 'web' } }, spec });
  await stage.until(`Pod ${name} has sidecars`, async () => {
    const pod = await cluster.find(Pod, name);
    if (pod !== undefined && hashesIn(pod, 'web') !== undefined) return true;
    if (pod !== undefined) await cluster.delete(Pod, name, { gracePeriodSeconds: 0 });
    // While no webhook answers, the API server refuses it.
    await cluster.create(manifest).catch(() => undefined);
    return false;
  });
}

// #region explore
test('whatever goes wrong, Pods end with the sidecars of the spec, and the revisions with those that are kept', async () => {
  await explore(operator, {
    story: ({ apply, change, disturb, remove }) => [
      disturb('the namespace of the revisions is empty', async ({ cluster }) => {
        await cluster.create(Namespace({ metadata: { name: SYSTEM_NAMESPACE } })).catch((error: unknown) => {
          if (!isAlreadyExists(error)) throw error;
        });
        const left = await cluster.list(ControllerRevision, { namespace: SYSTEM_NAMESPACE });
        for (const { metadata } of left) await cluster.delete(ControllerRevision, `${SYSTEM_NAMESPACE}/${metadata.name}`);
      }),
      apply(sidecarSet('web')),
      disturb('Pod a is created', (stage) => createPod(stage, 'a')),
      disturb('Pod b is created', (stage) => createPod(stage, 'b')),
      change(SidecarSet, 'web', { spec: { containers: containersOf('proxy:2') } }),
      remove(Pod, 'a'),
      disturb('Pod c is created', (stage) => createPod(stage, 'c')),
      apply(sidecarSet('other')),
      change(SidecarSet, 'web', { spec: { containers: containersOf('proxy:3') } }),
      disturb('Pod b leaves, with the sidecars that it has', async (stage) => {
        await stage.until('b is updated', async () => (await stage.cluster.get(Pod, 'b')).spec?.containers[1]?.image === 'proxy:3');
        await stage.cluster.patch(Pod, 'b', mergePatch({ metadata: { labels: { app: 'left' } } }));
      }),
      remove(SidecarSet, 'other'),
      disturb('Pod d is created', (stage) => createPod(stage, 'd')),
    ],
    workloads: true,
    // Pods get sidecars while the operator answers: made before it, as they ended, they are refused.
    judges: { fresh: false },
    // A webhook that is behind gives a Pod the sidecars of before; they are replaced then, and these tell of it.
    ignore: ['metadata.annotations', 'metadata.generation', 'status.containerStatuses'],
    seeds: 2,
  });
});
// #endregion
