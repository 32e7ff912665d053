import type { LabelSelectorFields, ObjectMeta } from '@keelson/kubernetes/apimachinery';
import type { ControllerRevision, Pod } from '@keelson/kubernetes/kinds';
import { isConflict } from '../../controllers/index.js';
import {
  byAge,
  CONTROLLER_REVISIONS,
  canonicalJson,
  claimsOf,
  controllerReference,
  type ObjectClient,
  type OwnerKind,
  selectorOf,
  templateHash,
  withController,
  withoutOwner,
} from '../objects/index.js';

/** An owner of revisions: a StatefulSet or DaemonSet. */
export interface Revised {
  readonly metadata: ObjectMeta & { readonly name: string };
  readonly spec: {
    readonly selector: LabelSelectorFields;
    readonly template: { readonly metadata?: ObjectMeta | undefined; readonly spec?: Pod['spec'] | undefined };
    readonly revisionHistoryLimit?: number | undefined;
  };
  readonly status?: { readonly collisionCount?: number | undefined } | undefined;
}

export type Template = Revised['spec']['template'];

export interface History {
  /** With the template that is wanted now. */
  readonly update: ControllerRevision;
  /** All, oldest first. */
  readonly revisions: readonly ControllerRevision[];
  readonly collisionCount: number;
}

export interface HistoryParts {
  readonly client: ObjectClient;
  readonly kind: OwnerKind;
  /** Label of a revision that carries its hash. */
  readonly hashLabel: string;
}

const LONGEST_PREFIX = 223;

/** Templates that an object has had, kept as ControllerRevisions. Source: kubernetes `pkg/controller/history`. */
export class RevisionHistory {
  readonly #parts: HistoryParts;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  /** Finds the revision of the wanted template, or makes it: an old one that is wanted again becomes the newest. */
  async read(owner: Revised): Promise<History> {
    const { client } = this.#parts;
    const revisions = await this.#claimed(owner);
    const { collisionCount = 0 } = owner.status ?? {};
    const wanted = canonicalJson(dataOf(owner.spec.template));
    const equal = revisions.filter(({ data }) => canonicalJson(data) === wanted).at(-1);
    const number = (revisions.at(-1)?.revision ?? 0) + 1;
    if (equal === undefined) {
      const made = await this.#make(owner, { number, collisionCount });
      return { update: made.revision, revisions: [...revisions, made.revision], collisionCount: made.collisionCount };
    }
    if (equal === revisions.at(-1)) return { update: equal, revisions, collisionCount };
    const update = await client.update<ControllerRevision>(CONTROLLER_REVISIONS, { ...equal, revision: number });
    return { update, revisions: [...revisions.filter((one) => one !== equal), update], collisionCount };
  }

  /** Deletes old revisions beyond the limit; those that Pods have stay. */
  async truncate(
    owner: Revised,
    revisions: readonly ControllerRevision[],
    isLive: (revision: ControllerRevision) => boolean,
  ): Promise<void> {
    const { revisionHistoryLimit = 10 } = owner.spec;
    const old = revisions.filter((revision) => !isLive(revision));
    for (const revision of old.slice(0, Math.max(0, old.length - revisionHistoryLimit)))
      await this.#parts.client.remove(CONTROLLER_REVISIONS, revision);
  }

  async #claimed(owner: Revised): Promise<readonly ControllerRevision[]> {
    const { client, kind } = this.#parts;
    const { namespace = '' } = owner.metadata;
    const matches = selectorOf(owner.spec.selector);
    const all = client.list<ControllerRevision>(CONTROLLER_REVISIONS, namespace);
    const { mine, adopted, released } = claimsOf(owner, all, ({ metadata }) => matches(metadata.labels));
    const reference = controllerReference(owner, kind);
    for (const one of adopted)
      await client.patch(CONTROLLER_REVISIONS, one, { metadata: { ownerReferences: withController(one, reference) } });
    for (const one of released) await client.patch(CONTROLLER_REVISIONS, one, { metadata: { ownerReferences: withoutOwner(one, owner) } });
    const again = adopted.flatMap(({ metadata: { name } }) => client.get<ControllerRevision>(CONTROLLER_REVISIONS, namespace, name) ?? []);
    return [...mine, ...again].sort((left, right) => (left.revision ?? 0) - (right.revision ?? 0) || byAge(left, right));
  }

  async #make(
    owner: Revised,
    { number, collisionCount }: { readonly number: number; readonly collisionCount: number },
  ): Promise<{ readonly revision: ControllerRevision; readonly collisionCount: number }> {
    const { client, kind, hashLabel } = this.#parts;
    const { namespace = '', annotations } = owner.metadata;
    const data = dataOf(owner.spec.template);
    const hash = templateHash(data, collisionCount);
    const name = `${owner.metadata.name.slice(0, LONGEST_PREFIX)}-${hash}`;
    const revision = {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: {
        name,
        labels: { ...owner.spec.template.metadata?.labels, [hashLabel]: hash },
        annotations,
        ownerReferences: [controllerReference(owner, kind)],
      },
      data,
      revision: number,
    };
    try {
      return { revision: await client.create<ControllerRevision>(CONTROLLER_REVISIONS, namespace, revision), collisionCount };
    } catch (error) {
      // The name is a stranger's.
      if (isConflict(error)) return this.#make(owner, { number, collisionCount: collisionCount + 1 });
      throw error;
    }
  }
}

/** A patch that puts the template back. */
function dataOf(template: Template): object {
  return { spec: { template: { ...template, $patch: 'replace' } } };
}

/** The template that a revision keeps. */
export function templateIn({ data }: ControllerRevision): Template {
  const { spec } = data as unknown as { readonly spec: { readonly template: Template & { readonly $patch: string } } };
  const { $patch: _patch, ...template } = spec.template;
  return template;
}
