import type { Nothing, Operator } from 'keelson/internal/definition';
import type { ErasedOptions, Exploration, ExploreOptions, MakesExternals } from './options.js';
import type { Releases } from './releases.js';

/**
 * Plays a story of users against an operator, first undisturbed, then with drawn faults in every seed: the operator is killed at a write and started again, reads old
 * states, misses states, loses answers and its Lease, and its externals time out or answer wrongly.
 *
 * The first seed that ends otherwise than undisturbed is shrunk to the shortest story and the fewest faults that still fail. All time is that of a fake clock.
 *
 * @example
 * ```ts
 * await explore(operator, {
 *   story: ({ apply, change, remove }) => [
 *     apply(Memcached({ metadata: { name: 'a' }, spec: { size: 1 } })),
 *     change(Memcached, 'a', { spec: { size: 3 } }),
 *     remove(Memcached, 'a'),
 *   ],
 *   workloads: true,
 *   seeds: 1000,
 * });
 * ```
 *
 * With two releases the older one runs first, and the newer one takes over in the middle of the story, or of a run; in some seeds the older one comes back:
 * `explore({ releases: [before, after] }, { story })`. The end is that of the release that ran last, alone.
 *
 * @throws ExplorationError with what was disturbed when, what differs, and how to play it again
 * @throws ExplorationSetupError for a story that cannot be played even undisturbed
 */
export async function explore<TExternals = Nothing>(
  operator: Operator<TExternals> | Releases<TExternals>,
  options: ExploreOptions<NoInfer<TExternals>> & MakesExternals<NoInfer<TExternals>>,
): Promise<Exploration> {
  // A suite that explores nothing must not pay for it.
  const { exploration } = await import('./explorer.js');
  return exploration(operator, options as unknown as ErasedOptions);
}
