import type { LeaseSpec } from 'keelson/kinds';
import { AlreadyExistsError, ConflictError, InternalError, NotFoundError, type Refusal } from '../../../src/runtime/client/index.js';
import type { Clock } from '../../../src/runtime/clock/index.js';
import type { LeaderElectorOptions } from '../../../src/runtime/leader/index.js';

interface StoredLease {
  readonly spec: LeaseSpec;
  readonly resourceVersion: number;
}

interface Call {
  readonly signal?: AbortSignal | undefined;
}

/** As much of an API server as an election needs. */
export class LeaseStore {
  #lease: StoredLease | undefined;
  #revision = 0;
  readonly writes: { readonly by: string; readonly spec: LeaseSpec }[] = [];
  /** By identity: its requests fail, or are never answered. */
  readonly broken = new Map<string, 'fails' | 'hangs' | 'loses answers'>();
  /** By identity: its requests take effect at once, and their answers come so much later. */
  readonly late = new Map<string, { readonly clock: Clock; readonly ms: number }>();

  get spec(): LeaseSpec | undefined {
    return this.#lease?.spec;
  }

  remove(): void {
    this.#lease = undefined;
  }

  /** By a write of which no process here knows. */
  overwrite(spec: LeaseSpec): void {
    this.#revision += 1;
    this.#lease = { spec: { ...this.#lease?.spec, ...spec }, resourceVersion: this.#revision };
  }

  clientOf(identity: string): LeaderElectorOptions['client'] {
    const answer = async <T>(call: Call | undefined, act: () => T): Promise<T> => {
      const how = this.broken.get(identity);
      if (how === 'fails') throw new InternalError(refusal(500, 'InternalError', 'etcd is down'));
      if (how === 'hangs') return aborted(call?.signal);
      const answered = Promise.resolve().then(act);
      await answered.catch(() => undefined);
      if (how === 'loses answers') return aborted(call?.signal);
      const late = this.late.get(identity);
      if (late !== undefined) await Promise.race([passed(late), aborted(call?.signal)]);
      return answered;
    };
    const client = {
      get: (_kind: unknown, _key: unknown, call?: Call) =>
        answer(call, () => {
          if (this.#lease === undefined) throw new NotFoundError(refusal(404, 'NotFound', 'leases "a" not found'));
          return this.#object();
        }),
      create: (_kind: unknown, { spec }: { spec: LeaseSpec }, call?: Call) =>
        answer(call, () => {
          if (this.#lease !== undefined) throw new AlreadyExistsError(refusal(409, 'AlreadyExists', 'leases "a" already exists'));
          return this.#write(identity, spec);
        }),
      update: (_kind: unknown, object: { metadata: { resourceVersion: string }; spec: LeaseSpec }, call?: Call) =>
        answer(call, () => {
          if (this.#lease === undefined) throw new NotFoundError(refusal(404, 'NotFound', 'leases "a" not found'));
          if (String(this.#lease.resourceVersion) !== object.metadata.resourceVersion) {
            throw new ConflictError(refusal(409, 'Conflict', 'the object has been modified'));
          }
          return this.#write(identity, object.spec);
        }),
    };
    return client as unknown as LeaderElectorOptions['client'];
  }

  #write(by: string, spec: LeaseSpec): object {
    this.#revision += 1;
    this.#lease = { spec, resourceVersion: this.#revision };
    this.writes.push({ by, spec });
    return this.#object();
  }

  #object(): object {
    return {
      metadata: { name: 'a', namespace: 'b', resourceVersion: String(this.#lease?.resourceVersion) },
      spec: { ...this.#lease?.spec },
    };
  }
}

function refusal(httpStatus: number, reason: string, message: string): Refusal {
  return {
    request: 'lease',
    httpStatus,
    status: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: httpStatus, reason, message },
  };
}

function passed({ clock, ms }: { readonly clock: Clock; readonly ms: number }): Promise<void> {
  return new Promise((resolve) => void clock.schedule(ms, resolve));
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(new Error('the request was cancelled'));
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
