import type { Event } from '../../../imports/kinds/events/v1.js';
import { AlreadyExistsError, ForbiddenError, InternalError, NotFoundError, type Refusal } from '../../../src/runtime/client/index.js';
import type { EventRecorderOptions } from '../../../src/runtime/events/index.js';

type Mood = 'works' | 'is down' | 'forbids' | 'hangs' | 'loses answers' | 'ends the namespace';

/** As much of an API server as events need. */
export class EventStore {
  readonly events = new Map<string, Event>();
  readonly requests: string[] = [];
  mood: Mood = 'works';
  /** Refuses requests of a verb; before its mood counts. */
  refuses: Readonly<Partial<Record<'create' | 'patch', Error>>> = {};

  get all(): Event[] {
    return [...this.events.values()];
  }

  readonly client: EventRecorderOptions['client'] = {
    create: async (_kind: unknown, event: Event, call: { signal: AbortSignal }) => {
      const { namespace = '', name } = event.metadata;
      const key = `${namespace}/${name}`;
      this.requests.push(`create ${event.reason ?? ''}`);
      await this.#check('create', namespace, call.signal);
      if (this.events.has(key)) throw new AlreadyExistsError(refusal(409, 'AlreadyExists', `events "${name}" already exists`));
      this.events.set(key, structuredClone(event));
      if (this.mood === 'loses answers') throw new InternalError(refusal(500, 'InternalError', 'the answer is lost'));
      return event;
    },
    patch: async (_kind: unknown, key: { namespace: string; name: string }, patch: { body: object }, call: { signal: AbortSignal }) => {
      this.requests.push('patch');
      await this.#check('patch', key.namespace, call.signal);
      const event = this.events.get(`${key.namespace}/${key.name}`);
      if (event === undefined) throw new NotFoundError(refusal(404, 'NotFound', `events "${key.name}" not found`));
      return Object.assign(event, structuredClone(patch.body));
    },
  } as unknown as EventRecorderOptions['client'];

  async #check(verb: 'create' | 'patch', namespace: string, signal: AbortSignal): Promise<void> {
    await Promise.resolve();
    if (this.refuses[verb] !== undefined) throw this.refuses[verb];
    if (this.mood === 'is down') throw new InternalError(refusal(500, 'InternalError', 'etcd is down'));
    if (this.mood === 'hangs') await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    if (this.mood === 'forbids') {
      const message = `events.events.k8s.io is forbidden: User "me" cannot ${verb} resource "events" in API group "events.k8s.io" in the namespace "${namespace}"`;
      throw new ForbiddenError(refusal(403, 'Forbidden', message));
    }
    if (this.mood === 'ends the namespace') {
      throw new ForbiddenError(
        refusal(403, 'Forbidden', `namespace ${namespace} is being terminated`, [{ reason: 'NamespaceTerminating' }]),
      );
    }
  }
}

export function refusal(code: number, reason: string, message: string, causes: { reason: string }[] = []): Refusal {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code, details: { causes } } as const;
  return { request: 'of events', status, httpStatus: code } as unknown as Refusal;
}
