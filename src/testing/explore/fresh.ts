import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { mergePatch } from '@keelson/runtime/internal/client';
import { Act } from './act.js';
import { differenceOf } from './compare.js';
import type { Ending, Setting } from './ending.js';
import { Finding } from './finding.js';
import { nameOf, prefixOf } from './history.js';
import { undisturbed } from './plan.js';

import { stateLines } from './state-lines.js';
import { insist, userOf } from './story.js';
import type { World } from './world.js';

export interface FreshOptions {
  readonly reference: Ending;
  readonly namespace: string;
  readonly random: () => number;
}

/** Makes the user's objects anew, as they were at the end of the story, and compares what becomes of them. */
export async function freshlyMade(
  world: World,
  setting: Setting,
  { reference, namespace, random }: FreshOptions,
): Promise<Finding | undefined> {
  world.begin([namespace, ...setting.namespaces]);
  const act = new Act(world, {
    namespace,
    others: setting.namespaces,
    random,
    plan: undisturbed([], world.releases - 1),
    externals: setting.externals(),
    manners: reference.history.manners,
    mostWrites: 1_000,
  });
  const lifeOf = (object: KubernetesObject) => reference.history.lives.get(object.metadata.uid ?? '')?.by;
  try {
    act.start();
    const user = userOf<never>();
    const users = reference.objects.filter((object) => lifeOf(object) === 'user' && object.metadata.deletionTimestamp === undefined);
    for (const object of users) {
      // The webhooks of the operator are served once its caches are filled.
      await user.apply(withoutPast(object) as never).play(act);
      if (!act.isOwn(object)) await withStatus(act, object);
    }
    await act.settled();
    for (const object of reference.objects) {
      if (world.runsPods || lifeOf(object) !== 'operator' || act.isOwn(object)) continue;
      const isThere = act.objects.some((other) => nameOf(other) === nameOf(object));
      if (isThere) await withStatus(act, object);
    }
    await act.settled();
    await act.pass('20s');
    await act.settled();
    const stateOf = (ending: Pick<Ending, 'objects' | 'history'>): string[] =>
      stateLines(ending, setting.ignore, concerned(act, ending.objects));
    const difference = differenceOf(stateOf(reference), stateOf(act));
    return difference.length === 0
      ? undefined
      : new Finding('fresh', 'an object that was made at once as this one ended comes to another end', difference, {
          minus: 'at the end of the story',
          plus: 'made at once',
        });
  } catch (error) {
    if (error instanceof Finding) return error;
    throw error;
  } finally {
    await act.end();
  }
}

/** The operator's own objects and what belongs to them: what has no owner may stay from before. */
function concerned(act: Act, objects: readonly KubernetesObject[]): (object: KubernetesObject) => boolean {
  const uids = new Set(objects.filter((object) => act.isOwn(object)).map(({ metadata }) => metadata.uid));
  return ({ metadata }) => uids.has(metadata.uid) || metadata.ownerReferences?.some(({ uid }) => uids.has(uid)) === true;
}

function withoutPast(object: KubernetesObject): KubernetesObject {
  const { status: _, metadata, ...rest } = object as KubernetesObject & { readonly status?: unknown };
  const { name = '', namespace, labels, annotations = {} } = metadata;
  const own = Object.fromEntries(Object.entries(annotations).filter(([key]) => !key.includes('keelson.dev/')));
  return {
    ...rest,
    metadata: {
      name,
      ...(prefixOf(namespace) === '' ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(Object.keys(own).length === 0 ? {} : { annotations: own }),
    },
  };
}

async function withStatus(act: Act, object: KubernetesObject): Promise<void> {
  const { status } = object as { readonly status?: object };
  if (status === undefined) return;
  const kind = await act.kinds.of({ apiVersion: object.apiVersion ?? '', kind: object.kind ?? '' });
  if (!kind.subresources?.includes('status')) return;
  const { name = '' } = object.metadata;
  const namespace = prefixOf(object.metadata.namespace) === '' ? act.namespace : object.metadata.namespace;
  await insist(act, `set the status of ${object.kind} ${name}`, () =>
    act.cluster.client.status(kind).patch({ namespace, name } as never, mergePatch({ status }) as never),
  );
}
