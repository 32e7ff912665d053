import { faultsOfExternals, REFUSALS } from './draw-plan.js';
import type { History, Mark } from './history.js';
import { type Disturbance, type FaultSorts, type Plan, undisturbed } from './plan.js';

/** How many faults a run of an exhaustive exploration has. */
export type Exhaustive = 'singles' | 'pairs';

/** A fault at one moment. */
export type Single = Exclude<Extract<Disturbance, { readonly at: Mark }>, { readonly do: 'release' }>;

/** Every fault that can happen at one moment of a run: at each write, each change of an object and each call of an external. */
export function singleFaults({ writes, changes, calls }: History, sorts: FaultSorts): readonly Single[] {
  const atWrite = (at: Mark): readonly Single[] => [
    ...(sorts.kills ? [false, true].map((staysAway): Single => ({ do: 'kill', at, staysAway })) : []),
    ...(sorts.requests ? [{ do: 'lose', at } as const] : []),
    ...(sorts.requests ? [...new Set(REFUSALS)].map((status): Single => ({ do: 'refuse', at, status, times: 1 })) : []),
  ];
  const atChange = (at: Mark): readonly Single[] => [
    ...(sorts.kills ? [{ do: 'kill', at, staysAway: false } as const] : []),
    ...(sorts.watches ? (['breaks', 'expires'] as const).map((how): Single => ({ do: 'break-watch', at, how })) : []),
    ...(sorts.leases ? [{ do: 'steal', at } as const] : []),
  ];
  const atCall = (at: Mark): readonly Single[] =>
    [...new Set(faultsOfExternals(sorts))].map((fault): Single => ({ do: 'external', at, times: 1, fault }));
  return [...marked(writes, atWrite), ...marked(changes, atChange), ...marked(calls, atCall)];
}

function marked(marks: readonly Mark[], faultsAt: (mark: Mark) => readonly Single[]): readonly Single[] {
  return marks.flatMap(({ on, what, nth }) => faultsAt({ on, what, nth }));
}

/** The faults that can follow a first one, in the run that it disturbed. */
export function secondFaults(first: Single, history: History, sorts: FaultSorts): readonly Single[] {
  return singleFaults(history, sorts).filter(({ at }) => history.isAfter(at, first.at));
}

/** The user waits for the operator after each step. */
export function planWith(disturbances: readonly Single[], steps: number, release = 0): Plan {
  const all = Array.from({ length: steps }, (_, index) => index);
  return { ...undisturbed(all, release), replicas: disturbances.some(({ do: what }) => what === 'steal') ? 2 : 1, disturbances };
}

/** The number of the fault that follows another one has the number of the first in its millions. */
const MILLION = 1_000_000;

export function numberOfPair(first: number, second: number): number {
  return first * MILLION + second;
}

/** @returns the numbers of the first fault and of the second, which is 0 for a single fault */
export function numbersOf(number: number): readonly [first: number, second: number] {
  return number < MILLION ? [number, 0] : [Math.floor(number / MILLION), number % MILLION];
}

/** The numbers of as many single faults as are asked for, from one of them on: after the last the first comes. */
export function windowOf(all: number, { from, count }: { readonly from: number; readonly count: number }): readonly number[] {
  return Array.from({ length: Math.min(all, count) }, (_, index) => ((((from - 1 + index) % all) + all) % all) + 1);
}

function eachOf(whose: string, count: number, one: string, what = ''): string {
  if (count === 0) return '';
  return count === 1 ? `${whose} one ${one}${what}` : `each of ${whose} ${count} ${one}s${what}`;
}

export interface Extent {
  readonly exhaustive: Exhaustive;
  readonly history: History;
  readonly singles: number;
  readonly played: number;
  /** Faults that did not happen: the run took another course than the one that they were planned for. */
  readonly missed: number;
}

/** The claim that an exhaustive exploration without a finding proves. `undefined` if only a part was played. */
export function proofOf({ exhaustive, history: { writes, changes, calls }, singles, played, missed }: Extent): string | undefined {
  if (played < singles) return undefined;
  const places = [
    eachOf('its', writes.length, 'write'),
    eachOf('the', changes.length, 'change', ' of objects'),
    eachOf('its', calls.length, 'call', ' of externals'),
  ].filter((place) => place !== '');
  const faults = exhaustive === 'singles' ? 'every single fault' : 'every single fault, and every pair of faults,';
  const rest = missed === 0 ? '' : `; ${missed} of the faults did not happen, as the order of its writes differs from run to run`;
  return `from ${faults} ${places.map((place) => `at ${place}`).join(' and ')} it comes to the same end${rest}`;
}
