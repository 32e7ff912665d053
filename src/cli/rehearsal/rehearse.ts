import { FakeClock } from '@keelson/api-server';
import { keepCopies, type ObjectCopy } from '@keelson/api-server/internal/server';
import { apiVersionOf, dns1123LabelProblems, groupVersionOf, type KubernetesObject, messageOf } from '@keelson/kubernetes/apimachinery';
import { Pod } from '@keelson/kubernetes/kinds';
import { type InProcessCluster, TestCluster } from '@keelson/testing';
import type { OperatorModel } from 'keelson/internal/definition';
import { RehearsalError } from '../errors.js';
import type { FoundManifest } from '../manifests/index.js';
import { applyManifest } from './apply-manifest.js';
import { OperatorAtWork, type RunProblem } from './operator-at-work.js';
import { readKinds, requiredKinds } from './operator-kinds.js';
import { absentOwners, kindName } from './unread-owners.js';
import { keyOf, type World, worldOf } from './world.js';

export interface RehearsalInput {
  readonly operator: OperatorModel;
  /**
   * The world. An object with a uid is a copy from a server and is taken as it is. Others are manifests, which go through admission: created, or put in the place of what has their name.
   */
  readonly objects: readonly FoundManifest[];
  /** Definitions of kinds of others. */
  readonly definitions: readonly FoundManifest[];
  /** Deployments and others make Pods, and Pods become ready. */
  readonly playsPods: boolean;
  /** Variables that the operator's settings are read from. @defaultValue none: the settings have their defaults */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** The longest that an object may keep the others waiting. */
  readonly timeoutMs: number;
  readonly onProgress?: ((text: string) => void) | undefined;
}

/** An object that could not be put into the world. */
export interface Refused {
  readonly place: string;
  readonly object: KubernetesObject;
  readonly message: string;
}

export interface Rehearsed {
  /** The world without the operator's own installation: as it was given, with the manifests as they were stored. */
  readonly before: World;
  readonly after: World;
  readonly refused: readonly Refused[];
  readonly problems: readonly RunProblem[];
  /** Methods of externals that were asked for. */
  readonly withheld: readonly string[];
}

/** Lets an operator work on a world in this process, until it rests. Nothing outside is asked or changed. */
export async function rehearse(input: RehearsalInput): Promise<Rehearsed> {
  const rehearsal = await Rehearsal.open(input);
  try {
    return await rehearsal.run();
  } finally {
    await rehearsal.close();
  }
}

class Rehearsal {
  readonly #input: RehearsalInput;
  readonly #cluster: InProcessCluster<FakeClock>;
  readonly #work: OperatorAtWork;
  readonly #refused: Refused[] = [];

  private constructor(input: RehearsalInput, cluster: InProcessCluster<FakeClock>) {
    this.#input = input;
    this.#cluster = cluster;
    const { operator, timeoutMs, environment } = input;
    this.#work = new OperatorAtWork(cluster, { operator, timeoutMs, environment, objects: input.objects.length });
  }

  static async open(input: RehearsalInput): Promise<Rehearsal> {
    const { operator, objects, definitions, playsPods } = input;
    const own = new Set(operator.customResources.map(({ plural, group }) => `${plural}.${group}`));
    const given = [...definitions, ...objects.filter(isDefinition)].filter(({ object }) => !own.has(object.metadata.name ?? ''));
    const others = new Map(given.map((manifest) => [manifest.object.metadata.name, manifest]));
    // An object in a namespace that cannot be is refused when it is applied.
    const namespaces = new Set(objects.map(({ object }) => object.metadata.namespace).filter(isNamespaceName));
    const cluster = await TestCluster.start({
      operator,
      clock: new FakeClock(new Date()),
      workloads: playsPods,
      namespaces: [...namespaces].filter((name) => name !== 'default'),
    }).catch((error: unknown) => {
      throw new RehearsalError(`the operator cannot be installed: ${messageOf(error)}`, { cause: error });
    });
    const rehearsal = new Rehearsal(input, cluster);
    try {
      await rehearsal.#define([...others.values()]);
    } catch (error) {
      await rehearsal.close();
      throw error;
    }
    return rehearsal;
  }

  /** @throws RehearsalError naming all definitions that the server refuses: without them no object of their kinds could be judged */
  async #define(definitions: readonly FoundManifest[]): Promise<void> {
    const refused: string[] = [];
    for (const { object, place } of definitions)
      await applyManifest(this.#cluster, withoutServerFields(object)).catch((error: unknown) =>
        refused.push(`\n  ${place}: ${messageOf(error)}`),
      );
    if (refused.length > 0) throw new RehearsalError(`CustomResourceDefinitions that are refused:${refused.join('')}`);
  }

  async run(): Promise<Rehearsed> {
    const { objects, onProgress } = this.#input;
    this.#checkKinds();
    onProgress?.('the operator starts');
    await this.#work.start();
    await this.#work.rest();
    await this.#work.stop();
    // Objects that the operator makes for itself, such as its certificate, are left out.
    const installed = worldOf(this.#cluster.server);
    const manifests = objects.filter((manifest) => !isDefinition(manifest));
    const copies = await this.#copiesOf(manifests.filter(({ object }) => isCopy(object)));
    const owners = this.#unreadOwners(copies);
    keepCopies(this.#cluster.server.core, [...copies, ...owners]);
    const given = worldOf(this.#cluster.server);
    onProgress?.(`the operator looks at ${objects.length} objects`);
    await this.#work.start();
    const before = await this.#atStorageVersion(given);
    await this.#rest();
    for (const manifest of this.#inOrder(manifests.filter(({ object }) => !isCopy(object)))) await this.#apply(manifest, before);
    await this.#rest();
    const after = worldOf(this.#cluster.server);
    const left = new Set([...installed.keys(), ...owners.map(({ object }) => keyOf(object))]);
    const without = (world: World): World => new Map([...world].filter(([key]) => !left.has(key)));
    return {
      before: without(before),
      after: without(after),
      refused: this.#refused,
      problems: this.#work.problems(),
      withheld: this.#work.withheld,
    };
  }

  async close(): Promise<void> {
    await this.#work.stop();
    await this.#cluster.close();
  }

  /** Waits until the operator rests, and until the Pods that were deleted have gone: no kubelet ends them here, and what owns them may wait for that. */
  async #rest(): Promise<void> {
    for (let round = 1; round <= MOST_ROUNDS; round += 1) {
      await this.#work.rest();
      const leaving = [...worldOf(this.#cluster.server).values()].filter(({ kind, metadata }) => kind === 'Pod' && isLeaving(metadata));
      if (leaving.length === 0) return;
      for (const { metadata } of leaving)
        await this.#cluster.delete(Pod, { namespace: metadata.namespace ?? '', name: metadata.name ?? '' }, { gracePeriodSeconds: 0 });
    }
  }

  /** @throws RehearsalError naming all kinds that the operator needs and that are not served: its controllers would wait for them without an end */
  #checkKinds(): void {
    const { catalog } = this.#cluster.server.core;
    const missing = requiredKinds(this.#input.operator).filter(
      ({ group, version, kind }) => catalog.ofKind(group, version, kind) === undefined,
    );
    const names = [...new Set(missing.map(({ group, version, kind }) => `${kind} of ${apiVersionOf({ group, version })}`))];
    if (names.length === 0) return;
    throw new RehearsalError(
      `the operator ${this.#input.operator.name} needs kinds that no CustomResourceDefinition describes: ${names.join(', ')}; name the CRDs with --crds`,
    );
  }

  /** Copies in the form in which they are stored; those of kinds that are not served are refused. */
  async #copiesOf(manifests: readonly FoundManifest[]): Promise<readonly ObjectCopy[]> {
    const { catalog } = this.#cluster.server.core;
    const copies: ObjectCopy[] = [];
    for (const { object, place } of manifests) {
      const { group, version } = groupVersionOf(object.apiVersion);
      const resource = catalog.ofKind(group, version, object.kind)?.resource;
      if (resource === undefined) {
        this.#refused.push({ object, place, message: unservedText(object) });
        continue;
      }
      const stored = resource.toStored === undefined ? [object] : await resource.toStored([object as never]);
      copies.push({ resource, object: (stored[0] ?? object) as KubernetesObject });
    }
    return copies;
  }

  /** Stands in for owners of kinds that the operator does not read, such as the ReplicaSets of its Pods: without them the garbage collector would take the Pods. */
  #unreadOwners(copies: readonly ObjectCopy[]): readonly ObjectCopy[] {
    const { catalog } = this.#cluster.server.core;
    const read = new Set(readKinds(this.#input.operator).map(({ group, kind }) => `${group} ${kind}`));
    return absentOwners(copies).flatMap((object) => {
      const { group, version } = groupVersionOf(object.apiVersion);
      const resource = read.has(kindName(object)) ? undefined : catalog.ofKind(group, version, object.kind)?.resource;
      return resource === undefined ? [] : [{ resource, object }];
    });
  }

  /** Converts custom resources to their storage version. The next write stores them at that version, which is not a change of the plan. The running operator answers its conversion webhook. */
  async #atStorageVersion(world: World): Promise<Map<string, KubernetesObject>> {
    const { catalog } = this.#cluster.server.core;
    const converted = new Map(world);
    for (const [key, object] of world) {
      const { group, version } = groupVersionOf(object.apiVersion);
      const resource = catalog.ofKind(group, version, object.kind)?.resource;
      if (resource?.isCustom !== true || version === resource.storageVersion) continue;
      const [stored] = await resource.convert([object as never], resource.storageVersion);
      if (stored !== undefined) converted.set(key, stored as unknown as KubernetesObject);
    }
    return converted;
  }

  /** Objects that the operator reconciles come last: what they name exists by then. */
  #inOrder(manifests: readonly FoundManifest[]): readonly FoundManifest[] {
    const kinds = new Set(this.#input.operator.controllers.map(({ for: { group, kind } }) => `${group}\n${kind}`));
    const isReconciled = ({ object }: FoundManifest): number =>
      Number(kinds.has(`${groupVersionOf(object.apiVersion).group}\n${object.kind}`));
    return [...manifests].sort((a, b) => isReconciled(a) - isReconciled(b));
  }

  async #apply({ object, place }: FoundManifest, before: Map<string, KubernetesObject>): Promise<void> {
    const { group, version } = groupVersionOf(object.apiVersion);
    if (this.#cluster.server.core.catalog.ofKind(group, version, object.kind) === undefined) {
      this.#refused.push({ object, place, message: unservedText(object) });
      return;
    }
    try {
      const stored = await applyManifest(this.#cluster, object);
      before.set(keyOf(stored), stored);
    } catch (error) {
      this.#refused.push({ object, place, message: messageOf(error) });
    }
  }
}

const unservedText = ({ apiVersion, kind }: KubernetesObject): string =>
  `no CustomResourceDefinition describes ${kind} of ${apiVersion}; name it with --crds`;

/** Deletions lead to others, as a StatefulSet that is made again leads to other Pods; those that go on are the operator's own. */
const MOST_ROUNDS = 10;

const isLeaving = ({ deletionTimestamp, finalizers = [] }: KubernetesObject['metadata']): boolean =>
  deletionTimestamp !== undefined && finalizers.length === 0;

/** A manifest may hold anything where its namespace stands. */
const isNamespaceName = (name: unknown): name is string => typeof name === 'string' && dns1123LabelProblems(name).length === 0;

/** From a server: a manifest that a person writes has no uid. */
export const isCopy = ({ metadata: { uid = '' } }: KubernetesObject): boolean => uid !== '';

const isDefinition = ({ object: { kind, apiVersion } }: FoundManifest): boolean =>
  kind === 'CustomResourceDefinition' && groupVersionOf(apiVersion).group === 'apiextensions.k8s.io';

function withoutServerFields({ metadata, ...object }: KubernetesObject): KubernetesObject {
  const { name, labels, annotations } = metadata;
  const { status: _, ...rest } = object as Omit<KubernetesObject, 'metadata'> & { readonly status?: unknown };
  return { ...rest, metadata: { name, labels, annotations } } as KubernetesObject;
}
