import { type ExploreOptions, explore, type FaultChoice, type MakesExternals } from '@keelson/testing';
import type { Nothing, Operator } from 'keelson';

/** What one seed in ten meets, every seed meets here: the runtime alone has to bear it. */
const CONNECTIONS: FaultChoice = {
  kills: false,
  requests: false,
  oldStates: false,
  timeouts: false,
  failures: false,
  emptyAnswers: false,
  staleAnswers: false,
  unknownAnswers: false,
  mistakes: false,
  breakdowns: false,
};

type Options<TExternals> = ExploreOptions<NoInfer<TExternals>> & MakesExternals<NoInfer<TExternals>> & { readonly name: string };

/**
 * Plays the story with faults of all sorts, with those alone that no reconciler can do anything about (watches and Leases), and with single faults, each once:
 * all of them where there is time for it.
 */
export function explorations<TExternals = Nothing>(operator: Operator<TExternals>, options: Options<TExternals>): void {
  test(`${options.name}: H42: whatever goes wrong, it ends as if nothing had`, () => explore(operator, { ...options, seeds: 15 }));

  const name = `${options.name}-connections`;
  test(`${name}: H6: H52: whatever becomes of watches and Leases, it ends as if nothing had`, () =>
    explore(operator, { ...options, name, faults: CONNECTIONS, seeds: 15 }));

  const singles = `${options.name}-singles`;
  test(`${singles}: H42: whichever single fault comes, it ends as if nothing had`, () =>
    explore(operator, { ...options, name: singles, exhaustive: 'singles', seeds: 5 }));
}
