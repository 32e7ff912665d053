import { type KindInfo, type KubernetesObject, millisecondsOf, type Span } from '@keelson/kubernetes/apimachinery';
import { isApiError, isNotFound, mergePatch, type NewObject, type PatchOf } from '@keelson/runtime/internal/client';
import type { ClusterClient, StatusOf, WholeObject } from '../cluster/index.js';
import { ExplorationSetupError } from './errors.js';

export type MergeOf<TKind extends KindInfo> = Extract<PatchOf<TKind>, { readonly type: 'merge' }>['body'];

/** Where a story is played. */
export interface Stage<TExternals = unknown> {
  /** The verbs of the API in the name of the user; the default namespace is that of the run. No fault strikes it. */
  readonly cluster: ClusterClient;
  /** Fakes of this run, as `externals` has made them. */
  readonly externals: TExternals;
  /** Lets time pass until it is so. @param what for the message when it never comes to this */
  until(what: string, condition: () => boolean | Promise<boolean>): Promise<void>;
  /** Lets time pass. */
  pass(span: Span): Promise<void>;
}

/** Resolves kinds: each stage has it beside its public members. */
export interface KnowsKinds {
  readonly kinds: { of(object: { readonly apiVersion: string; readonly kind: string }): Promise<KindInfo> };
}

/** One thing that a user of the operator does, or that happens to the operator. */
export interface Step<in TExternals = never> {
  readonly title: string;
  play(stage: Stage<TExternals>): Promise<unknown>;
}

/** Makes the steps of a story. */
export interface User<TExternals> {
  /** Creates the object, or changes it to this (server-side apply). Waits until one of that name that is being deleted is gone. */
  apply<TObject extends WholeObject>(object: TObject): Step<TExternals>;
  apply<const TKind extends KindInfo>(kind: TKind, object: NewObject<TKind>): Step<TExternals>;
  /** Merges into the object, once it is there. */
  change<const TKind extends KindInfo>(kind: TKind, name: string, part: MergeOf<TKind>): Step<TExternals>;
  /** Deletes the object, once it is there. */
  remove(kind: KindInfo, name: string): Step<TExternals>;
  /** Merges into the status, once the object is there: as another controller or a kubelet would. */
  setStatus<const TKind extends KindInfo>(kind: TKind, name: string, status: StatusOf<TKind>): Step<TExternals>;
  /** Any other change, in the cluster or in an external. */
  disturb(title: string, act: (stage: Stage<TExternals>) => unknown): Step<TExternals>;
  /** Time passes. */
  pass(span: Span): Step<TExternals>;
}

/** Whether another try may succeed: an object has changed meanwhile, or the operator that answers a webhook is away. */
function isPassing(error: unknown): boolean {
  return isApiError(error) && [409, 500, 503].includes(error.httpStatus);
}

/** Tries until no conflict and no webhook that is away stands against it. */
export async function insist<TExternals>(stage: Stage<TExternals>, what: string, act: () => Promise<unknown>): Promise<void> {
  await stage.until(what, async () => {
    try {
      await act();
      return true;
    } catch (error) {
      if (isPassing(error)) return false;
      throw error;
    }
  });
}

/** Once the object is there. */
function onceThere<TExternals>(
  title: string,
  { kind, name }: { readonly kind: KindInfo; readonly name: string },
  act: (stage: Stage<TExternals>) => Promise<unknown>,
): Step<TExternals> {
  return {
    title,
    play: async (stage) => {
      await stage.until(`${title}: there is a ${kind.kind} ${name}`, async () => {
        if ((await stage.cluster.find(kind, name)) === undefined) return false;
        try {
          await act(stage);
          return true;
        } catch (error) {
          if (isPassing(error) || isNotFound(error)) return false;
          throw error;
        }
      });
    },
  };
}

export function userOf<TExternals>(): User<TExternals> {
  return {
    apply(...given: readonly unknown[]): Step<TExternals> {
      const [kind, object] = given.length === 1 ? [undefined, given[0] as KubernetesObject] : (given as [KindInfo, KubernetesObject]);
      const name = keyOf(object);
      const word = kind?.kind ?? object.kind;
      return {
        title: `apply ${word} ${name} ${briefOf((object as { readonly spec?: unknown }).spec ?? {})}`,
        play: (stage) => applied(stage, kind, object),
      };
    },
    change: (kind, name, part) =>
      onceThere(`change ${kind.kind} ${name} ${kind.kind === 'Secret' ? fieldsOf(part) : briefOf(part)}`, { kind, name }, ({ cluster }) =>
        cluster.patch(kind, name, mergePatch(part) as PatchOf<typeof kind>),
      ),
    remove: (kind, name) => onceThere(`delete ${kind.kind} ${name}`, { kind, name }, ({ cluster }) => cluster.delete(kind, name)),
    setStatus: (kind, name, status) =>
      onceThere(`set the status of ${kind.kind} ${name} ${briefOf(status)}`, { kind, name }, ({ cluster }) =>
        cluster.patchStatus(kind, name, status),
      ),
    disturb: (title, act) => ({ title, play: async (stage) => act(stage) }),
    pass: (span) => {
      if (millisecondsOf(span) === undefined) throw new ExplorationSetupError(`pass(${JSON.stringify(span)}): give a time such as 30s`);
      return { title: `${typeof span === 'number' ? `${span} ms` : span} pass`, play: (stage) => stage.pass(span) };
    },
  };
}

async function applied<TExternals>(stage: Stage<TExternals>, given: KindInfo | undefined, object: KubernetesObject): Promise<void> {
  const { cluster } = stage;
  const kind = given ?? (await (stage as Stage & KnowsKinds).kinds.of(object as never));
  const name = keyOf(object);
  const what = `apply ${kind.kind} ${name}`;
  // The new one comes after the one that leaves.
  await stage.until(`${what}: the one before it is gone`, async () => {
    return (await cluster.find(kind, name))?.metadata.deletionTimestamp === undefined;
  });
  await insist(stage, what, () => cluster.apply(kind, object as never, { force: true }));
}

/** The fields of a part of a Secret: its data are not printed. */
function fieldsOf(part: object): string {
  return briefOf(Object.fromEntries(Object.keys(part).map((field) => [field, '...'])));
}

/** `a`, or `team-b/a` where the object names its namespace. */
function keyOf({ metadata: { name = '', namespace } }: KubernetesObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** A part of an object in a few words. */
function briefOf(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}
