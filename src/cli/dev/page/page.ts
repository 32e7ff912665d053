import { humanDuration, type KindInfo } from '@keelson/kubernetes/apimachinery';
import type { AnsweredReview } from '@keelson/runtime/internal/admission';
import type { HeardChange } from '@keelson/runtime/internal/cache';
import type { DevCluster } from '../dev-cluster.js';
import type { DevSession, Phase } from '../dev-session.js';
import type { EndedRun } from '../messages.js';
import { ObjectHistory } from './object-history.js';
import { ownershipTree, type TreeObject } from './ownership-tree.js';
import { type PageAction, PageServer } from './page-server.js';

/** Kinds that built-in controllers make below what operators own. */
const BELOW: readonly KindInfo[] = [
  { group: 'apps', version: 'v1', kind: 'ReplicaSet', plural: 'replicasets', scope: 'Namespaced', subresources: [] },
  { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', scope: 'Namespaced', subresources: [] },
  { group: '', version: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced', subresources: [] },
];

export interface PageOptions {
  readonly cluster: Pick<DevCluster, 'revision' | 'disturbances' | 'time' | 'objectsOf'>;
  readonly session: Pick<DevSession, 'phase' | 'operator' | 'kinds' | 'owned' | 'reconciled' | 'runAgain' | 'forward'>;
  readonly restart: (how: 'gently' | 'kill') => void;
  /** One line about what a button has done. */
  readonly say: (line: string) => void;
}

/** The answer that the page asks for again and again. */
interface PageState {
  /** Changes whenever anything that is shown has changed. */
  readonly version: string;
  readonly operator: string;
  readonly phase: Phase;
  /** `null` where the server is not ours to disturb: the buttons are not shown. */
  readonly disturbances: { readonly isDisturbed: boolean; readonly isStale: boolean } | null;
  /** How far the time is ahead of the machine's; `null` where it is not ours to move. */
  readonly aheadMs: number | null;
  readonly objects: readonly TreeObject[];
  /** Names of objects that ran, and are gone. */
  readonly gone: readonly string[];
}

export interface Page {
  /** Holds the token, with which one sees the objects and may press the buttons. */
  readonly url: string;
  ran(run: EndedRun): void;
  /** Caches of the operator have heard of changes. */
  heard(changes: readonly HeardChange[]): void;
  /** The operator has answered a call of a webhook or of a conversion. */
  reviewed(review: AnsweredReview): void;
  close(): Promise<void>;
}

/** A year: what lies behind it shows nothing new, and certificates and tokens of most clusters are over. */
const LONGEST_LEAP_MS = 366 * 24 * 3_600_000;

interface Histories {
  readonly runs: ObjectHistory<EndedRun>;
  readonly events: ObjectHistory<HeardChange & { readonly at: string }>;
  readonly calls: ObjectHistory<AnsweredReview & { readonly at: string }>;
}

/** Serves the page of a session at a port that is free. */
export async function startPage(options: PageOptions): Promise<Page> {
  const { cluster } = options;
  const histories: Histories = { runs: new ObjectHistory(), events: new ObjectHistory(), calls: new ObjectHistory() };
  const { runs, events, calls } = histories;
  const of = (query: URLSearchParams): string => query.get('of') ?? '';
  const server = await PageServer.start({
    reads: {
      state: (query) => stateOf(options, histories, query.get('known')),
      runs: (query) => runs.of(of(query)),
      events: (query) => events.of(of(query)),
      calls: (query) => calls.of(of(query)),
    },
    actions: actionsOf(options),
  });
  const at = (): string => new Date(Date.now() + (cluster.time?.offsetMs ?? 0)).toISOString();
  return {
    url: server.url,
    ran: (run) => runs.add(`${run.kind} ${run.object}`, run),
    heard: (changes) => {
      for (const change of changes) events.add(change.object, { ...change, at: at() });
    },
    reviewed: (review) => {
      for (const object of review.objects) calls.add(object, { ...review, at: at() });
    },
    close: () => server.close(),
  };
}

/** Undefined: the page knows it. */
async function stateOf({ cluster, session }: PageOptions, histories: Histories, known: string | null): Promise<PageState | undefined> {
  const { disturbances, time } = cluster;
  const counts = Object.values(histories).map(({ count }: { readonly count: number }) => count);
  // Taken first: what changes meanwhile makes the next answer.
  const version = [
    cluster.revision,
    ...counts,
    session.phase,
    disturbances?.isDisturbed,
    disturbances?.isStale,
    time?.offsetMs,
    session.kinds.length,
  ].join('-');
  if (known === version) return undefined;
  const objects = await objectsOf(cluster, session);
  const names = new Set(objects.map(({ name }) => name));
  return {
    version,
    operator: session.operator,
    phase: session.phase,
    disturbances: disturbances === undefined ? null : { isDisturbed: disturbances.isDisturbed, isStale: disturbances.isStale },
    aheadMs: time?.offsetMs ?? null,
    objects,
    gone: histories.runs.names.filter((name) => !names.has(name)),
  };
}

function actionsOf(options: PageOptions): Readonly<Record<string, PageAction>> {
  const { cluster, session, restart, say } = options;
  const { disturbances, time } = cluster;
  /** Done, with a line in the terminal. */
  const done = (line: string): undefined => {
    say(line);
    return undefined;
  };
  const started = (how: 'gently' | 'kill'): undefined => {
    restart(how);
    return undefined;
  };
  return {
    restart: () => started('gently'),
    kill: () => started('kill'),
    run: (query) => {
      const target = { group: query.get('group') ?? '', kind: query.get('kind') ?? '', object: query.get('object') ?? '' };
      if (!session.reconciled.some(({ group, kind }) => group === target.group && kind === target.kind))
        return `no controller is for ${target.kind || 'an object without a kind'}`;
      if (!session.runAgain([target])) return 'the operator is not ready: nothing is run again';
      return done(`${target.kind} ${target.object} is run again`);
    },
    ...(disturbances === undefined
      ? {}
      : {
          disturb: () => done(disturbances.disturb() ? 'requests fail now and then' : 'requests do not fail any more'),
          stale: () =>
            done(disturbances.makeStale() ? "the operator's watches are held back" : "the operator's watches hear everything again"),
        }),
    ...(time === undefined
      ? {}
      : {
          forward: (query: URLSearchParams) => {
            const ms = Number(query.get('ms'));
            if (!Number.isInteger(ms) || ms < 1 || ms > LONGEST_LEAP_MS) return `ms is a whole number from 1 to ${LONGEST_LEAP_MS}`;
            session.forward(ms);
            return done(`the time has moved on by ${humanDuration(ms)}`);
          },
        }),
  };
}

async function objectsOf(
  cluster: PageOptions['cluster'],
  { kinds, owned, reconciled }: PageOptions['session'],
): Promise<readonly TreeObject[]> {
  const own = new Set(kinds.map(keyOf));
  const others = new Map([...owned, ...BELOW].filter((kind) => !own.has(keyOf(kind))).map((kind) => [keyOf(kind), kind] as const));
  return ownershipTree(await cluster.objectsOf(kinds), await cluster.objectsOf([...others.values()]), reconciled);
}

const keyOf = ({ group, kind }: KindInfo): string => `${kind}.${group}`;
