import { BOOKKEEPING_FIELDS, equalJson, type KindInfo, type KubernetesObject, messageOf } from '@keelson/kubernetes/apimachinery';
import { type ApiClient, isConflict, isNotFound } from '@keelson/runtime/internal/client';
import type { KindCache } from '@keelson/testing/internal/cluster';
import { DevError } from '../../errors.js';

/** On each object that the command has made; its value says on which machine. */
const MADE_BY = 'keelson.dev/made-by';
/** They stay: with a definition go all objects of its kind, with a namespace all that is in it. */
const KEPT: ReadonlySet<string> = new Set(['CustomResourceDefinition', 'Namespace']);

type Stored = KubernetesObject & {
  readonly metadata: {
    readonly uid: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly managedFields?: readonly { readonly manager?: string }[];
  };
};

export interface MarkedPartsOptions {
  readonly client: ApiClient;
  readonly kinds: KindCache;
  /** This machine, as the mark names it. */
  readonly maker: string;
  /** Whether parts that others made are changed too. */
  readonly forcesConflicts: boolean;
}

interface Planned {
  readonly object: KubernetesObject;
  readonly kind: KindInfo;
  /** As the server has it; `undefined`: it is absent. */
  readonly present: Stored | undefined;
  readonly isOurs: boolean;
  readonly differs: boolean;
}

/**
 * The parts of an operator in a cluster that others use too.
 *
 * Flow: {@link plan} looks at all of them and writes nothing → {@link apply} in the order that the caller needs → {@link removeMade}.
 * Guarantees: only objects with the mark of this machine are deleted, each by its uid; an object that others made is changed with `forcesConflicts` alone, and never
 * deleted. Definitions and namespaces are never deleted.
 * Assumptions: no other client creates an object of the same name in the milliseconds between the look and the apply.
 * Errors: {@link DevError} naming every part that others made and that differs, before anything is written.
 */
export class MarkedParts {
  readonly #options: MarkedPartsOptions;
  readonly #made = new Map<string, { readonly kind: KindInfo; readonly object: Stored }>();

  constructor(options: MarkedPartsOptions) {
    this.#options = options;
  }

  /** @throws DevError naming the parts that others made and that would have to change */
  async plan(objects: readonly KubernetesObject[]): Promise<readonly Planned[]> {
    const planned: Planned[] = [];
    for (const object of objects) planned.push(await this.#planned(object));
    const refused = planned.filter(({ isOurs, differs }) => !isOurs && differs);
    if (refused.length > 0 && !this.#options.forcesConflicts)
      throw new DevError(
        `these parts are there, were made by others and differ:\n${refused.map((part) => `  ${this.#describe(part)}\n`).join('')}Nothing was changed. Work in a cluster without them, or change them with --force-conflicts`,
      );
    return planned;
  }

  async apply(planned: readonly Planned[]): Promise<void> {
    for (const { object, kind, present, isOurs, differs } of planned) {
      if (present !== undefined && !isOurs) {
        if (differs) await this.#options.client.apply(kind, object as never, { force: true });
        continue;
      }
      const stored = (await this.#options.client.apply(kind, this.#marked(object) as never, { force: true })) as Stored;
      this.#made.set(keyOf(object), { kind, object: stored });
    }
  }

  /** Deletes what the session has made and the operator names no more. */
  async removeAllBut(wanted: readonly KubernetesObject[]): Promise<void> {
    const names = new Set(wanted.map(keyOf));
    for (const [key, { kind, object }] of [...this.#made])
      if (!names.has(key) && !KEPT.has(kind.kind)) await this.#remove(key, kind, object);
  }

  /** Whether the session, or an earlier one of this machine, has made it. */
  hasMade(object: KubernetesObject): boolean {
    return this.#made.has(keyOf(object));
  }

  /** Deletes all that was made, except definitions and namespaces. @throws DevError naming what is left, and why */
  async removeMade(): Promise<void> {
    const left: string[] = [];
    // Those that were made last go first: rights stay until nothing needs them.
    for (const [key, { kind, object }] of [...this.#made].reverse()) {
      if (KEPT.has(kind.kind)) continue;
      try {
        await this.#remove(key, kind, object);
      } catch (error) {
        left.push(`  ${nameOf(object)}: ${messageOf(error)}\n`);
      }
    }
    if (left.length > 0) throw new DevError(`these parts could not be deleted, and are left in the cluster:\n${left.join('')}`);
  }

  async #planned(object: KubernetesObject): Promise<Planned> {
    const { client, kinds, maker } = this.#options;
    const kind = await kinds.of(object);
    const present = await orAbsent(client.get(kind, placeOf(object) as never) as Promise<never>);
    if (present === undefined) return { object, kind, present, isOurs: true, differs: true };
    const isOurs = (present as Stored).metadata.annotations?.[MADE_BY] === maker;
    if (isOurs) return { object, kind, present, isOurs, differs: true };
    const after = await client.apply(kind, object as never, { force: true, dryRun: true });
    return { object, kind, present, isOurs, differs: !equalJson(contentOf(present), contentOf(after as never)) };
  }

  #marked(object: KubernetesObject): KubernetesObject {
    const { annotations } = object.metadata as { readonly annotations?: object };
    return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [MADE_BY]: this.#options.maker } } } as never;
  }

  #describe({ object, present }: Planned): string {
    const { annotations, managedFields = [] } = (present as Stored).metadata;
    const maker = annotations?.[MADE_BY];
    const managers = [...new Set(managedFields.flatMap(({ manager }) => (manager === undefined ? [] : [manager])))];
    return `${nameOf(object)} (${maker === undefined ? `of ${managers.join(', ') || 'an unknown client'}` : `of keelson dev on ${maker}`})`;
  }

  async #remove(key: string, kind: KindInfo, object: Stored): Promise<void> {
    try {
      await this.#options.client.delete(kind, placeOf(object) as never, { uid: object.metadata.uid });
    } catch (error) {
      // Gone, or another object has its name by now: ours is not there.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
    this.#made.delete(key);
  }
}

async function orAbsent<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function contentOf({ metadata, ...rest }: Stored): object {
  return { ...rest, metadata: Object.fromEntries(Object.entries(metadata).filter(([field]) => !BOOKKEEPING_FIELDS.has(field))) };
}

const placeOf = ({ metadata: { name = '', namespace } }: KubernetesObject): object =>
  namespace === undefined ? { name } : { name, namespace };

const keyOf = ({ apiVersion, kind, metadata: { name = '', namespace = '' } }: KubernetesObject): string =>
  [apiVersion, kind, namespace, name].join(' ');

const nameOf = ({ kind, metadata: { name = '', namespace } }: KubernetesObject): string =>
  `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
