import { type KindInfo, nameInGroup } from '@keelson/kubernetes/apimachinery';
import { RequestLogError } from './errors.js';
import { isDenied, isWrite, type LoggedRequest } from './logged-request.js';
import { requestTable } from './request-table.js';

/** Which requests are meant; what is left out does not restrict. */
export interface RequestFilter {
  readonly user?: string;
  readonly verb?: string | readonly string[];
  /** A kind, or a resource by its name: `pods`, `deployments.apps`. */
  readonly kind?: Pick<KindInfo, 'group' | 'plural'> | string;
  /** `''`: requests for objects themselves. Default: those too, and all subresources. */
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly code?: number;
  /** Whether there is an answer, or will be none any more. */
  readonly answered?: boolean;
}

/** A place in the log: between two requests. */
export type RequestMark = number & { readonly '~mark'?: never };

export interface NoWritesOptions {
  /** Kinds whose writes do not count. Default: Leases, which leaders renew as long as they live. */
  readonly except?: readonly (Pick<KindInfo, 'group' | 'plural'> | string)[];
}

const LEASES = 'leases.coordination.k8s.io';

export interface RequestLogContent {
  readonly requests: readonly LoggedRequest[];
  /** The number that the next request will have. */
  readonly next: number;
  /** Requests with smaller numbers have been forgotten. */
  readonly first: number;
}

/**
 * Requests that an API server has got, as of a moment, oldest first.
 *
 * Filters give a smaller log; assertions throw a {@link RequestLogError} with a table of what they found.
 *
 * @example
 * ```ts
 * const { mark } = cluster.requests;
 * await cluster.settled();
 * cluster.requests.since(mark).expectNoWrites();
 * console.table(cluster.requests.filter({ kind: 'ConfigMap' }).byVerb('create').all);
 * ```
 */
export class RequestLog implements Iterable<LoggedRequest> {
  readonly #content: RequestLogContent;
  /** Where this view begins: what was forgotten before it is not a loss. */
  readonly #from: number;

  constructor(content: RequestLogContent, from = 1) {
    this.#content = content;
    this.#from = from;
  }

  get all(): readonly LoggedRequest[] {
    return this.#content.requests;
  }

  get length(): number {
    return this.all.length;
  }

  [Symbol.iterator](): Iterator<LoggedRequest> {
    return this.all[Symbol.iterator]();
  }

  /** Now: to be given to {@link since}. */
  get mark(): RequestMark {
    return this.#content.next;
  }

  /** Requests that came in behind the mark. @throws RequestLogError where the log does not go back so far */
  since(mark: RequestMark): RequestLog {
    if (mark < this.#content.first)
      throw new RequestLogError(
        `requests: ${this.#content.first - mark} requests behind the mark have been forgotten; set marks closer, or keep more (maxRequests)`,
      );
    return this.#narrowed(({ number }) => number >= mark, mark);
  }

  filter(filter: RequestFilter): RequestLog {
    return this.#narrowed((request) => meets(request, filter));
  }

  /** All but the requests that the filter means. */
  except(filter: RequestFilter): RequestLog {
    return this.#narrowed((request) => !meets(request, filter));
  }

  byVerb(...verbs: readonly string[]): RequestLog {
    return this.filter({ verb: verbs });
  }

  byUser(user: string): RequestLog {
    return this.filter({ user });
  }

  /** Requests that were to change what is stored; dry runs, reviews and requests for tokens are not among them. */
  writes(): RequestLog {
    return this.#narrowed(isWrite);
  }

  /** Requests that were refused for want of rights (403), or because the server did not know who asked (401). */
  denied(): RequestLog {
    return this.#narrowed(isDenied);
  }

  /** @throws RequestLogError when something was written, or was to be */
  expectNoWrites({ except = [LEASES] }: NoWritesOptions = {}): void {
    const writes = this.writes().all.filter((request) => !except.some((kind) => resourceOf(request) === nameOf(kind)));
    this.#expectNone(writes, 'no writes');
  }

  /** @throws RequestLogError when a request was refused for want of rights */
  expectNoneDenied(): void {
    this.#expectNone(this.denied().all, 'no denied requests');
  }

  /** @throws RequestLogError when there are such requests */
  expectNone(filter: RequestFilter = {}): void {
    this.#expectNone(this.filter(filter).all, 'no such requests');
  }

  /** The requests as a table, for messages. */
  toString(): string {
    return requestTable(this.all);
  }

  #narrowed(isMeant: (request: LoggedRequest) => boolean, from: number = this.#from): RequestLog {
    return new RequestLog({ ...this.#content, requests: this.all.filter(isMeant) }, from);
  }

  #expectNone(found: readonly LoggedRequest[], what: string): void {
    if (found.length > 0)
      throw new RequestLogError(
        `requests: expected ${what}, but there ${found.length === 1 ? 'is 1' : `are ${found.length}`}:\n${requestTable(found)}`,
      );
    const { first } = this.#content;
    if (this.#from < first)
      throw new RequestLogError(
        `requests: the first ${first - this.#from} have been forgotten, so there is no answer; begin with since(mark)`,
      );
  }
}

function meets(request: LoggedRequest, { user, verb, kind, subresource, namespace, name, code, answered }: RequestFilter): boolean {
  return (
    (user ?? request.user) === request.user &&
    (verb === undefined || [verb].flat().includes(request.verb)) &&
    (kind === undefined || resourceOf(request) === nameOf(kind)) &&
    (subresource ?? request.subresource) === request.subresource &&
    (namespace ?? request.namespace) === request.namespace &&
    (name ?? request.name) === request.name &&
    (code === undefined || code === request.code) &&
    (answered === undefined || answered === (request.code !== undefined))
  );
}

function resourceOf({ group, resource }: LoggedRequest): string {
  return nameInGroup(resource, group);
}

function nameOf(kind: Pick<KindInfo, 'group' | 'plural'> | string): string {
  return typeof kind === 'string' ? kind : nameInGroup(kind.plural, kind.group);
}
