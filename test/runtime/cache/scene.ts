import { ConfigMap } from 'keelson/kinds/core/v1';
import {
  Cache,
  type CacheChange,
  type CacheOptions,
  type CacheRequest,
  type Informer,
  type StoredObject,
} from '../../../src/runtime/cache/index.js';
import {
  type ApiError,
  ExpiredError,
  ForbiddenError,
  InternalError,
  InvalidError,
  NotFoundError,
  type Refusal,
  ServerTimeoutError,
  TooManyRequestsError,
} from '../../../src/runtime/client/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { ScriptedApi, type ScriptedWatch } from './scripted-api.js';

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

/** A cache of ConfigMaps whose client and clock the test moves by hand. */
export interface Scene {
  readonly api: ScriptedApi;
  readonly clock: FakeClock;
  readonly cache: Cache;
  readonly informer: Informer;
  readonly log: LogLine[];
  /** What listeners were told, in short: `added a@5`. */
  readonly told: string[];
  readonly changes: CacheChange[];
  /** Moves the clock over the pause that the cache makes. */
  pass(): Promise<number>;
  /** Lists these objects in one page and opens the watch. */
  synced(objects: readonly StoredObject[], resourceVersion: string): Promise<ScriptedWatch>;
}

export function scene(options: Partial<CacheOptions> = {}, request: Partial<CacheRequest> = {}): Scene {
  const api = new ScriptedApi();
  const clock = new FakeClock();
  const log: LogLine[] = [];
  const write =
    (level: string) =>
    (message: string, fields?: Readonly<Record<string, unknown>>): void =>
      void log.push({ level, message, fields });
  const logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  const cache = new Cache({ client: api.client, clock, log: logger, random: () => 0.5, streamLists: false, ...options });
  const informer = cache.informer({ kind: ConfigMap, ...request });
  const told: string[] = [];
  const changes: CacheChange[] = [];
  informer.onChange((change) => {
    changes.push(change);
    told.push(`${change.type} ${change.object.metadata.name}@${change.object.metadata.resourceVersion}`);
  });
  const pass = async (): Promise<number> => {
    await clock.timer(() => true);
    const before = clock.monotonicMs();
    while (clock.pending > 0) clock.advance(50);
    await settle();
    return clock.monotonicMs() - before;
  };
  const synced = async (objects: readonly StoredObject[], resourceVersion: string): Promise<ScriptedWatch> => {
    cache.start();
    (await api.next('list')).page(objects, resourceVersion);
    const watch = (await api.next('watch')).open();
    await settle();
    return watch;
  };
  running.add(cache);
  return { api, clock, cache, informer, log, told, changes, pass, synced };
}

const running = new Set<Cache>();

/** For `afterEach`: no cache outlives its test. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((cache) => cache.stop()));
  running.clear();
}

/** Lets all that can happen now happen. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

export interface ObjectFacts {
  readonly uid?: string;
  readonly namespace?: string;
  readonly labels?: Record<string, string>;
  readonly data?: Record<string, string>;
  readonly metadata?: object;
}

export function object(name: string, resourceVersion: number | string, facts: ObjectFacts = {}): StoredObject {
  const { uid = `uid-${name}`, namespace = 'default', labels, data, metadata } = facts;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, uid, resourceVersion: String(resourceVersion), ...(labels === undefined ? {} : { labels }), ...metadata },
    ...(data === undefined ? {} : { data }),
  };
}

export const key = (name: string, namespace = 'default') => ({ name, namespace });
export const added = (item: StoredObject) => ({ type: 'ADDED', object: item }) as const;
export const modified = (item: StoredObject) => ({ type: 'MODIFIED', object: item }) as const;
export const deleted = (item: StoredObject) => ({ type: 'DELETED', object: item }) as const;
export const bookmark = (resourceVersion: number | string, initialEventsEnd = false) =>
  ({ type: 'BOOKMARK', resourceVersion: String(resourceVersion), initialEventsEnd }) as const;

const refusal = (httpStatus: number, message: string, more: Partial<Refusal['status']> = {}): Refusal => ({
  request: 'GET /api/v1/configmaps',
  httpStatus,
  status: { kind: 'Status', status: 'Failure', code: httpStatus, message, ...more },
});

export const errors = {
  expired: (): ApiError => new ExpiredError(refusal(410, 'too old resource version: 1 (2)', { reason: 'Expired' })),
  notFound: (): ApiError => new NotFoundError(refusal(404, 'the server could not find the requested resource')),
  forbidden: (): ApiError =>
    new ForbiddenError(
      refusal(403, 'configmaps is forbidden: User "me" cannot list resource "configmaps" in API group "" at the cluster scope'),
    ),
  tooMany: (seconds: number): ApiError =>
    new TooManyRequestsError(refusal(429, 'storage is (re)initializing', { details: { retryAfterSeconds: seconds } })),
  internal: (): ApiError => new InternalError(refusal(500, 'etcd is away')),
  invalid: (): ApiError => new InvalidError(refusal(422, 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch')),
  tooLarge: (): ApiError =>
    new ServerTimeoutError(
      refusal(504, 'Too large resource version: 9, current: 5', {
        details: { retryAfterSeconds: 1, causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] },
      }),
    ),
};
