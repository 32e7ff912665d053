import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';
import type { Context, HandleFor, OwnsMap, ReadsMap, WatchesMap } from './context.js';
import type { Declared, WrittenStatus } from './controller-options.js';
import type { ObserveBuilder, ObservesMap } from './observes.js';
import type { Owned, Primary } from './outcome.js';
import type { StatusShare } from './status-share.js';
import type { Given, Nothing, UsesMap } from './uses.js';

/** The declarations of a controller, apart from its functions. Opaque: made by {@link declareAccess}. */
export interface Access<T, TStatus, TOwns, TUses, TWatches, TReads, TObserves, TBackground, TWrites> {
  readonly for: Primary<T, TStatus>;
  readonly owns: TOwns;
  readonly uses: TUses;
  readonly watches: TWatches;
  readonly reads: TReads;
  readonly writesStatus: TWrites;
  readonly observes: (declare: ObserveBuilder<T, Given<TUses>>) => TObserves;
  readonly background: TBackground;
}

/**
 * Declares what a controller touches, for a `reconcile` that is written apart from it.
 *
 * The declarations are checked by `defineController`, which takes them.
 *
 * @example
 * ```ts
 * const access = declareAccess({ for: Memcached, owns: { configs: ConfigMap } });
 * async function reconcile({ object, done }: ContextOf<typeof access>): Promise<Done> {
 *   return done({ owned: { configs: [ConfigMap({ metadata: { name: object.metadata.name } })] } });
 * }
 * export const controller = defineController({ name: 'memcached', ...access, reconcile });
 * ```
 */
export function declareAccess<
  T extends KubernetesObject,
  TStatus = unknown,
  const TOwns extends OwnsMap = Nothing,
  const TUses extends UsesMap = Nothing,
  const TWatches extends WatchesMap = Nothing,
  const TReads extends ReadsMap = Nothing,
  TObserves extends ObservesMap = Nothing,
  TBackground extends Readonly<Record<string, unknown>> = Nothing,
  const TWrites extends boolean | StatusShare = false,
>(
  declared: Declared<T, TStatus, TOwns, TUses, TWatches, TReads, TObserves, TBackground, TWrites>,
): Access<T, TStatus, TOwns, TUses, TWatches, TReads, TObserves, TBackground, TWrites> {
  // Omitted members stay out: the type has all of them, so that nothing is lost where it is spread.
  return Object.freeze({ ...declared }) as never;
}

/** The context of a `reconcile` that is written apart from its controller. */
export type ContextOf<TAccess> =
  TAccess extends Access<
    infer T,
    infer TStatus,
    infer TOwns,
    infer TUses,
    infer TWatches,
    infer TReads,
    infer TObserves,
    infer TBackground,
    infer TWrites
  >
    ? {
        readonly [N in keyof TOwns | keyof TUses | keyof TWatches | keyof TReads | keyof TObserves | keyof TBackground]: HandleFor<
          N,
          TOwns,
          TWatches,
          TReads,
          TUses,
          TObserves,
          TBackground
        >;
      } & Context<T, WrittenStatus<T, TStatus, TWrites>, Owned<TOwns>>
    : never;
