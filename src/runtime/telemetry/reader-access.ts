import { createHash } from 'node:crypto';
import { SubjectAccessReview, TokenReview, type TokenReviewStatus } from '@keelson/kubernetes/kinds';
import type { Logger } from 'keelson/internal/definition';
import type { ApiClient } from '../client/index.js';
import type { Clock } from '../clock/index.js';
import { ExpiringMap } from './expiring-map.js';

export interface ReaderAccessOptions {
  readonly client: Pick<ApiClient, 'create'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Whether a caller may read, and if not, what it is answered. */
export type Access = { readonly status: 200 } | { readonly status: 401 | 403 | 500 | 503; readonly text: string };

export interface ReadRequest {
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** The HTTP method in lower case: `get`. */
  readonly verb: string;
  readonly path: string;
  /** Address of the caller. @defaultValue one that all callers without share */
  readonly source?: string | undefined;
}

type User = NonNullable<TokenReviewStatus['user']>;

/** As controller-runtime's filter: a token is asked about once a minute, a permission every five minutes, a refusal every half. */
const TOKEN_MS = 60_000;
const ALLOWED_MS = 300_000;
const DENIED_MS = 30_000;
const REVIEW_MS = 10_000;
const MAX_REMEMBERED = 1_000;
/**
 * Reviews under way at once: made-up tokens must not turn this process on the API server. One address has three of them at most, and tokens that were good within
 * the hour have five of their own, so that made-up ones cannot crowd them out.
 */
const MOST_REVIEWS = { unknown: 10, perSource: 3, known: 5 } as const;
const KNOWN_BEFORE_MS = 3_600_000;

const UNAUTHORIZED: Access = { status: 401, text: 'Unauthorized' };
const BUSY: Access = { status: 503, text: 'too many callers are being looked up; try again' };

/**
 * Lets callers in whom the API server knows (TokenReview) and allows the path (SubjectAccessReview on the non-resource URL).
 *
 * Guarantees: no reader is let in unless the API server says so; tokens are neither logged nor kept: answers are remembered by their digests.
 */
export class ReaderAccess {
  readonly #options: ReaderAccessOptions;
  readonly #users: ExpiringMap<User>;
  /** Apart from users: made-up tokens are without end, and must not push them out. */
  readonly #strangers: ExpiringMap<true>;
  readonly #knownBefore: ExpiringMap<true>;
  /** Sources of the reviews under way; `undefined` of tokens that were good before. */
  readonly #sources: (string | undefined)[] = [];
  readonly #verdicts: ExpiringMap<boolean>;
  readonly #underWay = new Map<string, Promise<unknown>>();

  constructor(options: ReaderAccessOptions) {
    this.#options = options;
    this.#users = new ExpiringMap(options.clock, MAX_REMEMBERED);
    this.#strangers = new ExpiringMap(options.clock, MAX_REMEMBERED);
    this.#knownBefore = new ExpiringMap(options.clock, MAX_REMEMBERED);
    this.#verdicts = new ExpiringMap(options.clock, MAX_REMEMBERED);
  }

  async judge({ authorization = '', verb, path, source = '' }: ReadRequest): Promise<Access> {
    const token = /^bearer +(\S+)\s*$/i.exec(authorization)?.[1];
    if (token === undefined) return UNAUTHORIZED;
    try {
      const user = await this.#userOf(token, source);
      if (user === 'busy') return BUSY;
      if (user === 'nobody') return UNAUTHORIZED;
      const isAllowed = await this.#isAllowed(user, verb, path);
      if (isAllowed === 'busy') return BUSY;
      return isAllowed ? { status: 200 } : { status: 403, text: `Authorization denied for user ${user.username ?? ''}` };
    } catch (error) {
      this.#options.log.error('a reader of metrics could not be looked up', { path, error });
      return { status: 500, text: 'Authentication failed' };
    }
  }

  async #userOf(token: string, source: string): Promise<User | 'nobody' | 'busy'> {
    const digest = createHash('sha256').update(token).digest('base64');
    if (this.#strangers.get(digest) !== undefined) return 'nobody';
    const lane = this.#knownBefore.get(digest) === undefined ? source : undefined;
    return (
      this.#users.get(digest) ??
      this.#once(`token ${digest}`, lane, async () => {
        const review = { metadata: {}, spec: { token } };
        const { status } = await this.#options.client.create(TokenReview, review, { deadlineMs: REVIEW_MS });
        const isKnown = status?.authenticated === true && status.user?.username !== undefined && status.user.username !== '';
        // Without a user an error of the authenticator says no more than that the token is of no use.
        const user = isKnown ? (status.user as User) : 'nobody';
        if (user === 'nobody') this.#strangers.set(digest, true, TOKEN_MS);
        else {
          this.#users.set(digest, user, TOKEN_MS);
          this.#knownBefore.set(digest, true, KNOWN_BEFORE_MS);
        }
        return user;
      })
    );
  }

  async #isAllowed({ username, uid, groups, extra }: User, verb: string, path: string): Promise<boolean | 'busy'> {
    const spec = { user: username, uid, groups, extra, nonResourceAttributes: { verb, path } };
    const key = createHash('sha256').update(JSON.stringify(spec)).digest('base64');
    return (
      this.#verdicts.get(key) ??
      this.#once(`access ${key}`, undefined, async () => {
        const { status } = await this.#options.client.create(SubjectAccessReview, { metadata: {}, spec }, { deadlineMs: REVIEW_MS });
        const isAllowed = status?.allowed === true && status.denied !== true;
        if (!isAllowed && status?.evaluationError !== undefined && status.evaluationError !== '')
          this.#options.log.debug('an access review could not be evaluated', { path, why: status.evaluationError });
        this.#verdicts.set(key, isAllowed, isAllowed ? ALLOWED_MS : DENIED_MS);
        return isAllowed;
      })
    );
  }

  /** The same question asked twice at once is one request. */
  #once<T>(key: string, source: string | undefined, ask: () => Promise<T>): Promise<T | 'busy'> {
    const asked = this.#underWay.get(key) as Promise<T> | undefined;
    if (asked !== undefined) return asked;
    if (!this.#hasRoom(source)) return Promise.resolve('busy');
    this.#sources.push(source);
    const asking = ask().finally(() => {
      this.#underWay.delete(key);
      this.#sources.splice(this.#sources.indexOf(source), 1);
    });
    this.#underWay.set(key, asking);
    return asking;
  }

  #hasRoom(source: string | undefined): boolean {
    const own = this.#sources.filter((other) => other === source).length;
    if (source === undefined) return own < MOST_REVIEWS.known;
    return own < MOST_REVIEWS.perSource && this.#sources.filter((other) => other !== undefined).length < MOST_REVIEWS.unknown;
  }
}
