import { isRecord } from '@keelson/kubernetes/apimachinery';
import type { Problem } from '../errors.js';
import type { ExternalModel, SettingsModel, UseModel } from '../model.js';
import { mustHaveShape, record } from '../option-shape.js';

/** A declared value from outside of the cluster's API. `T` is what the context has under its name. */
export interface Use<out T> extends UseModel {
  readonly '~use'?: T | undefined;
}

/** A client of a system outside: a type, and no value. The process that runs the operator gives the value. */
export interface External<out T> extends Use<T>, ExternalModel {
  readonly sort: 'external';
}

export interface ExternalOptions {
  /**
   * Settings that the client is made from: its address, its time limit. They are variables of the Deployment, as those under `uses`, and reach `run({ externals })`.
   * @defaultValue none
   */
  readonly settings?: SettingsModel | undefined;
}

/** The argument of a function under `externals`. */
export interface ExternalsContext {
  /**
   * The values of settings that a part of the operator declares, read and checked.
   *
   * @throws ExternalError for settings that no part declares: no manifest would have their variables
   */
  settings<T>(declared: { readonly sort: 'settings'; readonly '~use'?: T | undefined }): T;
}

/**
 * Declares a system outside of the cluster that controllers talk to.
 *
 * The key in `uses` is its name: in the context, in `run`, and in tests. The definition stays a plain value, which synthesis, tests and image share.
 *
 * @example
 * ```ts
 * export const etcd = external<EtcdApi>();
 * const controller = defineController({
 *   name: 'members',
 *   for: Memcached,
 *   uses: { etcd },
 *   async reconcile({ object, etcd, signal, done }) {
 *     const members = await etcd.members(object.metadata.name, signal);
 *     return done({ status: merge({ ready: members.length }) });
 *   },
 * });
 * await run(defineOperator({ name: 'ring-operator', controllers: [controller] }), { externals: { etcd: createEtcd() } });
 * ```
 *
 * With `external<EtcdApi>({ settings: config })` the client can be made from settings: `run(operator, { externals: ({ settings }) => ({ etcd: createEtcd(settings(config)) }) })`.
 *
 * @throws DefinitionError for what is not made by `settings()`
 */
export function external<T extends object>(options: ExternalOptions = {}): External<T> {
  mustHaveShape('external', options, SHAPE);
  const { settings } = options;
  return Object.freeze({ sort: 'external', ...(settings === undefined ? {} : { settings }) });
}

const SHAPE = record(
  {
    settings: (value, path) =>
      value === undefined || (isUse(value) && value.sort === 'settings')
        ? []
        : [{ path, message: 'is not made by settings(); export one const, and give it here and to run' }],
  },
  'not an option of an external',
);

export type UsesMap = Readonly<Record<string, Use<unknown>>>;

/** The members of the context for `uses`. */
export type Given<TUses> = TUses extends infer U
  ? { readonly [N in keyof U]: U[N] extends { readonly '~use'?: infer T } ? NonNullable<T> : never }
  : never;

/** The externals that must be given from outside, by name. */
export type ExternalsIn<TUses> = TUses extends infer U
  ? {
      readonly [N in keyof U as U[N] extends { readonly sort: 'external' } ? N : never]: U[N] extends { readonly '~use'?: infer T }
        ? NonNullable<T>
        : never;
    }
  : never;

/** The externals that several parts need together. */
export type Joined<TPart> = [TPart] extends [never]
  ? Nothing
  : [TPart] extends [{ readonly '~externals'?: ((externals: infer I) => void) | undefined }]
    ? unknown extends I
      ? Nothing
      : { readonly [N in keyof I]: I[N] }
    : Nothing;

/** Nothing is needed. */
export type Nothing = Record<never, never>;

/** The option under which it is given; nothing to give, no option. */
export type Needs<TExternals> = [keyof TExternals] extends [never]
  ? unknown
  : { readonly externals: TExternals | ((context: ExternalsContext) => TExternals) };

/** Whether it comes from `external()`, `settings()`, or a metric's function. */
export function isUse(value: unknown): value is UseModel {
  return isRecord(value) && (value['sort'] === 'external' || value['sort'] === 'settings' || value['sort'] === 'metric');
}

/** Problems of a map of `uses`. @param reserved names that the context itself has */
export function usesProblems(declared: Readonly<Record<string, unknown>>, path: string, reserved: readonly string[]): Problem[] {
  return Object.entries(declared).flatMap(([name, value]): Problem[] => {
    const at = `${path}.${name}`;
    // As a key of the context, `__proto__` would replace its prototype.
    if (reserved.includes(name) || name === '__proto__')
      return [{ path: at, message: `'${name}' is a reserved name: the context itself uses it; choose another` }];
    return isUse(value) ? [] : [{ path: at, message: NOT_DECLARED }];
  });
}

export const NOT_DECLARED = 'is nothing that is declared; make it with external<T>(), settings(), gauge(), counter() or histogram()';
