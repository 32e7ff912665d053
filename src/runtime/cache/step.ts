import { compareResourceVersions } from '@keelson/kubernetes/apimachinery';
import type { WatchFailure } from './failure.js';
import type { StoredObject } from './informer.js';

/**
 * The state machine of one watch: each input gives the next state and its effects. No network, no clock, no random number: every race is a row of a test.
 *
 * Flow: `empty` → the list, streamed by the watch itself or in pages → `watching` from its resourceVersion; after a failure `waiting`, then the watch is taken
 * up where it ended, or, when history is lost, the list begins anew.
 * Guarantees: what is collected becomes visible only when it is whole (`replace`); the resourceVersion never goes back, unless a server says three times that
 * it has itself (a restored backup); a server that ends watches without a word is not asked at full speed, and not for ever from the same resourceVersion (H10).
 */
export type WatchState =
  | { readonly phase: 'empty'; readonly memory: WatchMemory }
  /** Pages are coming; `resourceVersion` is that of the first. */
  | { readonly phase: 'listing'; readonly memory: WatchMemory; readonly resourceVersion: string | undefined }
  /** The watch sends what there is, up to the bookmark that ends it. */
  | { readonly phase: 'streaming'; readonly memory: WatchMemory }
  | {
      readonly phase: 'watching';
      readonly memory: WatchMemory;
      readonly resourceVersion: string;
      /** When the server began to answer. */
      readonly openedMs: number | undefined;
      /** An event or a bookmark has come. */
      readonly heard: boolean;
      /** The resourceVersion has moved. */
      readonly advanced: boolean;
    }
  /** `resourceVersion`: from there the watch goes on; `undefined`: history is lost. */
  | { readonly phase: 'waiting'; readonly memory: WatchMemory; readonly resourceVersion: string | undefined };

export interface WatchMemory {
  /** Failures in a row, for the back-off. */
  readonly failures: number;
  readonly lastFailureMs: number | undefined;
  /** Whether to ask for a streamed list; no more after the first refusal. */
  readonly mayStream: boolean;
  readonly brokenStreams: number;
  /** Watches in a row that ended without having said anything. */
  readonly barren: number;
  /** The server sends bookmarks, so that a long watch without any is strange. */
  readonly hasBookmarks: boolean;
  readonly tooLarge: number;
  /** Lists in a row that showed an older state than what is held. */
  readonly olderLists: number;
  /** Up to which the held state is complete; kept when history is lost, to see that a server goes back (H6). */
  readonly seen: string | undefined;
}

export type WatchInput =
  | { readonly type: 'start' }
  | { readonly type: 'timer' }
  | {
      readonly type: 'page';
      readonly objects: readonly StoredObject[];
      readonly resourceVersion: string;
      readonly continue: string | undefined;
    }
  | { readonly type: 'opened' }
  | { readonly type: 'event'; readonly event: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: StoredObject }
  | { readonly type: 'bookmark'; readonly resourceVersion: string; readonly initialEventsEnd: boolean }
  | { readonly type: 'closed' }
  | { readonly type: 'failed'; readonly failure: WatchFailure };

/** An effect to carry out; at most one at a time, and always the last of its list. */
export type WatchRequest =
  | { readonly do: 'list'; readonly continue: string | undefined }
  | { readonly do: 'watch'; readonly resourceVersion: string | undefined; readonly sendInitialEvents: boolean }
  /** A random pause whose bound grows with `attempt`, on top of what the server asks for. */
  | { readonly do: 'wait'; readonly attempt: number; readonly atLeastMs: number };

export type WatchEffect =
  | WatchRequest
  /** The collected objects are void: a new list begins. */
  | { readonly do: 'begin' }
  | { readonly do: 'collect'; readonly objects: readonly StoredObject[] }
  /** Deleted while it was being collected. */
  | { readonly do: 'discard'; readonly object: StoredObject }
  /** The collected objects are whole, and all that there are. `wentBack`: the server is older than the held state, for good. */
  | { readonly do: 'replace'; readonly resourceVersion: string; readonly wentBack: boolean }
  | { readonly do: 'apply'; readonly event: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: StoredObject }
  | { readonly do: 'progress'; readonly resourceVersion: string }
  | { readonly do: 'report'; readonly failure: WatchFailure; readonly failures: number }
  | { readonly do: 'recovered' };

export type WatchStep = readonly [WatchState, readonly WatchEffect[]];

/** Failures this far apart are not one series, as in kube-rs. */
const RESET_AFTER_MS = 120_000;
/**
 * A watch that stood so long was healthy: what ends it begins a new series. Else a proxy that cuts every connection after half a minute would drive the pauses up
 * to as much, in which the cache grows old.
 */
const HEALTHY_AFTER_MS = 10_000;
/** A watch that ends sooner, and says nothing, was not meant to be one (H10). */
const HASTY_MS = 2_000;
/** This many watches in a row without an event count as lost history. */
const BARREN_LIMIT = 3;
/** This many lists from the past are refused; then the server is believed to have been restored from a backup. */
const OLDER_LISTS_LIMIT = 2;
const BROKEN_STREAMS_LIMIT = 3;
/** The pauses stop growing here (12.8 s, half of that on average): a user who installs a CRD does not want to wait, and the answer costs the server nothing. */
const NOT_INSTALLED_ATTEMPTS = 5;
/** The server is given one chance to catch up before its own word is taken (H7). */
const TOO_LARGE_LIMIT = 2;

export function initialState({ mayStream }: { readonly mayStream: boolean }): WatchState {
  const memory: WatchMemory = {
    failures: 0,
    lastFailureMs: undefined,
    mayStream,
    brokenStreams: 0,
    barren: 0,
    hasBookmarks: false,
    tooLarge: 0,
    olderLists: 0,
    seen: undefined,
  };
  return { phase: 'empty', memory };
}

/** One transition. An input that does not belong to the phase changes nothing: it comes from a request that was given up. */
export function step(state: WatchState, input: WatchInput, nowMs: number): WatchStep {
  switch (input.type) {
    case 'start':
      return state.phase === 'empty' ? beginList(state.memory) : [state, []];
    case 'timer':
      return state.phase === 'waiting' ? resume(state) : [state, []];
    case 'page':
      return state.phase === 'listing' ? page(state, input, nowMs) : [state, []];
    case 'opened':
      return opened(state, nowMs);
    case 'event':
      return event(state, input);
    case 'bookmark':
      return bookmark(state, input, nowMs);
    case 'closed':
      return closed(state, nowMs);
    case 'failed':
      return failed(state, input.failure, nowMs);
  }
}

/** H20: initial events are asked for here alone, where nothing is held or history is lost. */
function beginList(memory: WatchMemory): WatchStep {
  return memory.mayStream
    ? [{ phase: 'streaming', memory }, [{ do: 'begin' }, { do: 'watch', resourceVersion: undefined, sendInitialEvents: true }]]
    : [{ phase: 'listing', memory, resourceVersion: undefined }, [{ do: 'begin' }, { do: 'list', continue: undefined }]];
}

function resume({ memory, resourceVersion }: WatchState & { readonly phase: 'waiting' }): WatchStep {
  return resourceVersion === undefined ? beginList(memory) : watchFrom(memory, resourceVersion);
}

function watchFrom(memory: WatchMemory, resourceVersion: string, before: readonly WatchEffect[] = []): WatchStep {
  return [
    { phase: 'watching', memory, resourceVersion, openedMs: undefined, heard: false, advanced: false },
    [...before, { do: 'watch', resourceVersion, sendInitialEvents: false }],
  ];
}

type InputOf<TType extends WatchInput['type']> = Extract<WatchInput, { readonly type: TType }>;

function page(state: WatchState & { readonly phase: 'listing' }, input: InputOf<'page'>, nowMs: number): WatchStep {
  // All pages show the moment of the first. Should a server give later ones another number, the earlier is the safe one: the watch then repeats some events.
  const { resourceVersion = input.resourceVersion, memory } = state;
  const collect: WatchEffect = { do: 'collect', objects: input.objects };
  // An empty page may have a token (H19).
  if (input.continue !== undefined) {
    return [{ phase: 'listing', memory, resourceVersion }, [collect, { do: 'list', continue: input.continue }]];
  }
  const [next, effects] = complete(memory, resourceVersion, nowMs);
  if (next.phase !== 'watching') return [next, [collect, ...effects]];
  return [next, [collect, ...effects, { do: 'watch', resourceVersion, sendInitialEvents: false }]];
}

/** All is collected. */
function complete(memory: WatchMemory, resourceVersion: string, nowMs: number): WatchStep {
  const isOlder = memory.seen !== undefined && (compareResourceVersions(resourceVersion, memory.seen) ?? 0) < 0;
  if (isOlder && memory.olderLists < OLDER_LISTS_LIMIT) {
    const message = `the list shows resourceVersion ${resourceVersion}, but ${memory.seen} was seen before: an API server lags behind`;
    return fail({ ...memory, olderLists: memory.olderLists + 1 }, { reason: 'Unavailable', message }, nowMs);
  }
  return [
    {
      phase: 'watching',
      memory: { ...memory, seen: resourceVersion, olderLists: 0, tooLarge: 0, barren: 0, brokenStreams: 0 },
      resourceVersion,
      openedMs: undefined,
      heard: false,
      advanced: false,
    },
    [{ do: 'replace', resourceVersion, wentBack: isOlder }],
  ];
}

function opened(state: WatchState, nowMs: number): WatchStep {
  if (state.phase !== 'watching') return [state, []];
  // A watch that follows barren ones may be no more than an open connection.
  return [{ ...state, openedMs: nowMs }, state.memory.barren === 0 ? [{ do: 'recovered' }] : []];
}

function event(state: WatchState, { event, object }: InputOf<'event'>): WatchStep {
  if (state.phase === 'streaming') return [state, [event === 'DELETED' ? { do: 'discard', object } : { do: 'collect', objects: [object] }]];
  if (state.phase !== 'watching') return [state, []];
  const { resourceVersion } = object.metadata;
  const order = compareResourceVersions(resourceVersion, state.resourceVersion);
  // Told before: some servers repeat themselves when a watch is taken up.
  if (order !== undefined && order <= 0) return [{ ...state, heard: true }, []];
  return [{ ...state, ...advancedTo(state.memory, resourceVersion) }, [...heardAgain(state.memory), { do: 'apply', event, object }]];
}

function bookmark(state: WatchState, { resourceVersion, initialEventsEnd }: InputOf<'bookmark'>, nowMs: number): WatchStep {
  if (state.phase === 'streaming') return initialEventsEnd ? endOfInitialEvents(state.memory, resourceVersion, nowMs) : [state, []];
  if (state.phase !== 'watching' || resourceVersion === '') return [state, []];
  const order = compareResourceVersions(resourceVersion, state.resourceVersion) ?? 1;
  if (order < 0) {
    const message = `a bookmark says resourceVersion ${resourceVersion}, but ${state.resourceVersion} was seen before`;
    return fail(state.memory, { reason: 'Expired', message }, nowMs);
  }
  const memory = { ...state.memory, hasBookmarks: true };
  if (order === 0) return [{ ...state, memory, heard: true }, []];
  return [{ ...state, ...advancedTo(memory, resourceVersion) }, [...heardAgain(memory), { do: 'progress', resourceVersion }]];
}

/** The connection goes on as the watch. */
function endOfInitialEvents(memory: WatchMemory, resourceVersion: string, nowMs: number): WatchStep {
  const [next, effects] = complete({ ...memory, hasBookmarks: true }, resourceVersion, nowMs);
  return next.phase === 'watching'
    ? [{ ...next, openedMs: nowMs, heard: true, advanced: true }, [...effects, { do: 'recovered' }]]
    : [next, effects];
}

function advancedTo(memory: WatchMemory, resourceVersion: string) {
  return { resourceVersion, heard: true, advanced: true, memory: { ...memory, barren: 0, tooLarge: 0, seen: resourceVersion } } as const;
}

function heardAgain(memory: WatchMemory): readonly WatchEffect[] {
  return memory.barren === 0 ? [] : [{ do: 'recovered' }];
}

function closed(state: WatchState, nowMs: number): WatchStep {
  if (state.phase === 'streaming') {
    const message = 'the watch ended before it had sent all that there is';
    return failed(state, { reason: 'Unavailable', message }, nowMs);
  }
  if (state.phase !== 'watching') return [state, []];
  const { memory, resourceVersion } = state;
  const isHasty = nowMs - (state.openedMs ?? nowMs) < HASTY_MS;
  if (state.advanced) {
    // Not at once even so: a server that ends each watch after one bookmark would be asked at full speed.
    const message = `the watch from resourceVersion ${resourceVersion} was closed soon`;
    return isHasty ? fail(memory, { reason: 'Unavailable', message }, nowMs, resourceVersion) : watchFrom(memory, resourceVersion);
  }
  if (isHasty) {
    // TR4: a server that has lost our history may say so by closing, again and again.
    const message = `the watch from resourceVersion ${resourceVersion} was closed at once, without a word`;
    return barren(state, { reason: 'Unavailable', message }, nowMs);
  }
  // A watch from the future of a restored server is quiet: it sends not even bookmarks, until the server has caught up.
  if (state.heard || !memory.hasBookmarks) return watchFrom({ ...memory, barren: state.heard ? 0 : memory.barren }, resourceVersion);
  const count = memory.barren + 1;
  if (count < BARREN_LIMIT) return watchFrom({ ...memory, barren: count }, resourceVersion);
  return barren(state, { reason: 'Silent', message: `${count} watches from resourceVersion ${resourceVersion} said nothing` }, nowMs);
}

/** One more watch that said nothing. */
function barren(state: WatchState & { readonly phase: 'watching' }, failure: WatchFailure, nowMs: number): WatchStep {
  const count = state.memory.barren + 1;
  const isLost = count >= BARREN_LIMIT;
  const memory = { ...state.memory, barren: isLost ? 0 : count };
  return fail(memory, failure, nowMs, isLost ? undefined : state.resourceVersion);
}

function failed(state: WatchState, failure: WatchFailure, nowMs: number): WatchStep {
  switch (state.phase) {
    case 'listing':
      return fail(state.memory, failure, nowMs);
    case 'streaming':
      return streamFailed(state.memory, failure, nowMs);
    case 'watching':
      return watchFailed(state, failure, nowMs);
    case 'empty':
    case 'waiting':
      return [state, []];
  }
}

/** A server that does not know streamed lists refuses them, or sends events without ever ending them: both are answered by pages, at once. */
function streamFailed(memory: WatchMemory, failure: WatchFailure, nowMs: number): WatchStep {
  if (failure.reason === 'Refused' || failure.reason === 'Silent') return beginList({ ...memory, mayStream: false });
  const isBroken = failure.reason === 'Unavailable' || failure.reason === 'Malformed';
  const brokenStreams = isBroken ? memory.brokenStreams + 1 : 0;
  return fail({ ...memory, brokenStreams, mayStream: brokenStreams < BROKEN_STREAMS_LIMIT }, failure, nowMs);
}

function watchFailed(before: WatchState & { readonly phase: 'watching' }, failure: WatchFailure, nowMs: number): WatchStep {
  const memory = isHealthy(before, nowMs) ? { ...before.memory, lastFailureMs: undefined } : before.memory;
  const state = { ...before, memory };
  const { resourceVersion } = state;
  switch (failure.reason) {
    // H9: both forms of 410 come here. Cached objects stay until the next list is whole.
    case 'Expired':
    case 'NotInstalled':
    case 'Refused':
      return fail(memory, failure, nowMs);
    case 'TooLarge': {
      const tooLarge = memory.tooLarge + 1;
      return fail({ ...memory, tooLarge }, failure, nowMs, tooLarge < TOO_LARGE_LIMIT ? resourceVersion : undefined);
    }
    // An unreadable event may come again for ever from here; a list leads past it.
    case 'Malformed':
      return barren(state, failure, nowMs);
    case 'Silent':
      return state.heard || !memory.hasBookmarks ? fail(memory, failure, nowMs, resourceVersion) : barren(state, failure, nowMs);
    case 'Forbidden':
    case 'Unauthorized':
    case 'Busy':
    case 'Unavailable':
      return fail(memory, failure, nowMs, resourceVersion);
  }
}

/** One that follows barren watches must have said something. */
function isHealthy({ openedMs, heard, memory }: WatchState & { readonly phase: 'watching' }, nowMs: number): boolean {
  return openedMs !== undefined && nowMs - openedMs >= HEALTHY_AFTER_MS && (heard || memory.barren === 0);
}

function fail(memory: WatchMemory, failure: WatchFailure, nowMs: number, resourceVersion?: string): WatchStep {
  const isSeries = memory.lastFailureMs !== undefined && nowMs - memory.lastFailureMs <= RESET_AFTER_MS;
  const failures = isSeries ? memory.failures + 1 : 1;
  return [
    { phase: 'waiting', memory: { ...memory, failures, lastFailureMs: nowMs }, resourceVersion },
    [
      { do: 'report', failure, failures },
      {
        do: 'wait',
        attempt: failure.reason === 'NotInstalled' ? Math.min(failures, NOT_INSTALLED_ATTEMPTS) : failures,
        atLeastMs: failure.retryAfterMs ?? 0,
      },
    ],
  ];
}
