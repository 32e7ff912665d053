import type { WriteRecord } from '@keelson/api-server/internal/store';
import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { type History, type Mark, nameOf, prefixOf } from './history.js';
import { USER } from './user-name.js';

export interface ChronicleOptions {
  readonly history: History;
  readonly namespaces: readonly string[];
  /** The field managers of the operator begin with it. */
  readonly operatorName: string;
  /** An object has begun to leave. */
  readonly leaving: (resource: string, object: KubernetesObject) => void;
}

/** A change of the store that belongs to the run. */
export interface Noted {
  readonly mark: Mark;
  /** `deployments.apps`. */
  readonly resource: string;
}

/** Written by the control plane, or by the runtime for itself. */
const IGNORED: ReadonlySet<string> = new Set(['leases', 'events', 'namespaces', 'serviceaccounts', 'customresourcedefinitions']);

/** Keeps the history of the objects of a run. */
export class Chronicle {
  readonly #options: ChronicleOptions;
  readonly #known = new Map<string, KubernetesObject>();
  /** Objects that a process which read an old state has written, as `configmaps/a`. */
  readonly #fromOldStates = new Set<string>();

  constructor(options: ChronicleOptions) {
    this.#options = options;
  }

  /** A process writes an object, as `configmaps/a`. */
  writing(object: string, { isOld }: { readonly isOld: boolean }): void {
    if (isOld) this.#fromOldStates.add(object);
    else this.#fromOldStates.delete(object);
  }

  /** Called with each change of the store. @returns `undefined` for what does not belong to the run */
  changed({ key, object }: WriteRecord, step: number): Noted | undefined {
    const { namespaces, history } = this.#options;
    // The store says `deployments.apps`, and `web.example.com/websites` of a custom resource.
    const inGroup = key.resource.split('/').reverse().join('.');
    const resource = inGroup.split('.')[0] ?? '';
    if ((!namespaces.includes(key.namespace) && key.namespace !== '') || IGNORED.has(resource) || key.name === 'kube-root-ca.crt')
      return undefined;
    const id = `${key.resource} ${key.namespace} ${key.name}`;
    const before = this.#known.get(id);
    const now = object as KubernetesObject | undefined;
    const shown = now ?? before;
    if (shown === undefined) return undefined;
    const isNew = now !== undefined && now.metadata.uid !== before?.metadata.uid;
    const isEnded = now === undefined || now.metadata.deletionTimestamp !== undefined;
    if (now === undefined) this.#known.delete(id);
    else this.#known.set(id, now);
    if (isNew) this.#begun(resource, now);
    else if (now !== undefined && before !== undefined && this.#isGivenAway(now, before, resource)) history.excuse(now.metadata.uid ?? '');
    const life = history.lives.get(shown.metadata.uid ?? '');
    if (now !== undefined && isEnded) this.#options.leaving(resource, now);
    if (isEnded && life !== undefined) life.hasEnded = true;
    const mark = history.mark('change', nameOf(shown));
    history.changes.push({ ...mark, did: isNew ? 'made' : isEnded ? 'deleted' : 'changed', step });
    return { mark, resource: inGroup };
  }

  #begun(resource: string, object: KubernetesObject): void {
    const { history, operatorName } = this.#options;
    const { uid = '', managedFields = [], ownerReferences = [] } = object.metadata;
    const manager = (managedFields[0] as { readonly manager?: string } | undefined)?.manager ?? '';
    const by = manager === operatorName || manager.startsWith(`${operatorName}/`) ? 'operator' : manager === USER ? 'user' : 'other';
    const isOrphan = this.#isOrphan(object);
    const isOld = this.#fromOldStates.has(idOf(resource, object));
    history.lives.set(uid, {
      what: nameOf(object),
      kind: object.kind ?? '',
      resource,
      by,
      // A controller of the platform follows an owner that is excused: the revisions of a StatefulSet, for example.
      isExcused:
        by === 'operator'
          ? isOrphan || isOld
          : by === 'other' && ownerReferences.some((owner) => history.lives.get(owner.uid)?.isExcused === true),
      // Pods of a StatefulSet, for example.
      isNamed: object.metadata.generateName === undefined && ownerReferences.length > 0,
      owners: ownerReferences.map((owner) => owner.uid),
      hasEnded: false,
    });
  }

  /** Whether a process that reads an old state gave it to an owner that is gone, with which the garbage collector takes it. */
  #isGivenAway(now: KubernetesObject, before: KubernetesObject, resource: string): boolean {
    return this.#fromOldStates.has(idOf(resource, now)) && this.#isOrphan(now) && !this.#isOrphan(before);
  }

  /** Whether one of its owners is gone, or going. */
  #isOrphan({ metadata: { ownerReferences = [] } }: KubernetesObject): boolean {
    const lives = [...this.#known.values()];
    return ownerReferences.some(
      (owner) => !lives.some(({ metadata }) => metadata.uid === owner.uid && metadata.deletionTimestamp === undefined),
    );
  }
}

function idOf(resource: string, { metadata: { name = '', namespace, generateName } }: KubernetesObject): string {
  return `${resource}/${prefixOf(namespace)}${generateName !== undefined && name.startsWith(generateName) ? `${generateName}*` : name}`;
}
