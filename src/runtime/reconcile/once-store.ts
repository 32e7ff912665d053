import { type KindInfo, labelRequirementsOf, matchesLabels, type ObjectKey } from '@keelson/kubernetes/apimachinery';
import type { ListOptions, Verb } from 'keelson/internal/definition';
import type { StoredObject } from '../cache/index.js';
import { HandleError } from './errors.js';

export interface OnceListOptions extends ListOptions {
  readonly index?: Readonly<Record<string, string | undefined>> | undefined;
}

interface StoreOptions {
  /** Namespace of the reconciled object. */
  readonly own: string | undefined;
  /** An object as the API server would complete it. */
  readonly stored: (object: object) => StoredObject;
}

type IndexOnce = (object: StoredObject) => readonly string[];

/** The objects of one handle in a test of a single call, with what the reconciler writes. */
export class OnceStore {
  readonly #kind: KindInfo;
  readonly #options: StoreOptions;
  #objects: readonly StoredObject[];
  #version = 1_000;

  constructor(kind: KindInfo, objects: readonly StoredObject[], options: StoreOptions) {
    this.#kind = kind;
    this.#objects = objects;
    this.#options = options;
  }

  readonly get = (key: string | ObjectKey): StoredObject | undefined => {
    const { name, namespace = this.#options.own } = typeof key === 'string' ? { name: key } : key;
    return this.#objects.find(
      ({ metadata }) => metadata.name === name && (this.#kind.scope === 'Cluster' || metadata.namespace === namespace),
    );
  };

  list(
    { namespace = this.#options.own, labels = {}, labelSelector = {}, index = {} }: OnceListOptions = {},
    indexes: Readonly<Record<string, unknown>> = {},
  ): StoredObject[] {
    const parsed = labelRequirementsOf({
      matchLabels: { ...labelSelector.matchLabels, ...labels },
      matchExpressions: labelSelector.matchExpressions as never,
    });
    if ('problem' in parsed) throw new HandleError(`${this.#kind.kind}: ${parsed.problem}`);
    const everywhere = this.#kind.scope === 'Cluster' || namespace === undefined || namespace === '*';
    return this.#objects.filter(
      (object) =>
        (everywhere || object.metadata.namespace === namespace) &&
        matchesLabels(parsed.requirements, object.metadata.labels) &&
        Object.entries(index).every(([by, value]) => value === undefined || this.#isIndexed(object, indexes[by], value)),
    );
  }

  /** The method's answer; the next read sees it. An apply is merged into what is there: only a server knows who owns which field. */
  write(verb: Verb, [target, change]: readonly unknown[]): unknown {
    switch (verb) {
      case 'create':
        return this.#put(this.#named(target as StoredObject));
      case 'update':
        return this.#put(target as StoredObject);
      case 'apply':
        return this.#put(mergedInto(this.#meant(target), target) as StoredObject);
      case 'patch': {
        const found = this.#meant(target);
        if (found === undefined) throw new HandleError(`${this.#kind.kind} ${nameOf(target)}: there is no such object to patch`);
        return this.#put(mergedInto(found, change) as StoredObject);
      }
      case 'delete':
        this.#remove(target);
        return undefined;
      case 'evict':
        this.#remove(target);
        return true;
    }
  }

  #named(object: StoredObject): StoredObject {
    const { name, generateName } = object.metadata as Partial<StoredObject['metadata']>;
    if (name !== undefined) {
      if (this.#meant(object) !== undefined) throw new HandleError(`${this.#kind.kind} ${name}: there is one already`);
      return object;
    }
    return { ...object, metadata: { ...object.metadata, name: `${generateName ?? ''}${this.#version}` } };
  }

  #put(object: StoredObject): StoredObject {
    this.#version += 1;
    const version = String(this.#version);
    const before = this.#meant(object);
    const uid = before?.metadata.uid ?? `00000000-0000-4000-8000-${version.padStart(12, '0')}`;
    const metadata = { ...object.metadata, uid, resourceVersion: version };
    const stored = this.#options.stored({ ...object, metadata });
    this.#objects = [...this.#objects.filter((other) => other !== before), stored];
    return stored;
  }

  #remove(target: unknown): void {
    const found = this.#meant(target);
    this.#objects = this.#objects.filter((object) => object !== found);
  }

  #meant(target: unknown): StoredObject | undefined {
    if (typeof target === 'object' && target !== null && 'metadata' in target) return this.get((target as StoredObject).metadata);
    return this.get(target as string | ObjectKey);
  }

  #isIndexed(object: StoredObject, values: unknown, value: string): boolean {
    if (typeof values !== 'function')
      throw new HandleError(`${this.#kind.kind}: there is no such index; declare it under watch(Kind, { indexes })`);
    return (values as IndexOnce)(object).includes(value);
  }
}

function nameOf(target: unknown): string {
  if (typeof target === 'string') return target;
  const { name, metadata } = target as { readonly name?: string; readonly metadata?: { readonly name?: string } };
  return String(name ?? metadata?.name);
}

/** As a JSON merge patch: `null` removes a field, lists are replaced. */
function mergedInto(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const base = typeof target === 'object' && target !== null && !Array.isArray(target) ? (target as Readonly<Record<string, unknown>>) : {};
  const changed = Object.entries(patch).map(([name, value]) => [name, value === null ? undefined : mergedInto(base[name], value)] as const);
  return Object.fromEntries(Object.entries({ ...base, ...Object.fromEntries(changed) }).filter(([, value]) => value !== undefined));
}
