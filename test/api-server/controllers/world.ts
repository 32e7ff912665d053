import { FakeClock } from '../../../src/api-server/clock/index.js';
import type { DeleteOptions, JsonObject, PatchFormat, RequestContext, Target } from '../../../src/api-server/contract/index.js';
import { isGone } from '../../../src/api-server/controllers/index.js';
import { ApiServer, type ApiServerOptions, type ServerProblem } from '../../../src/api-server/server/index.js';
import { groupVersionOf } from '../../../src/kubernetes/apimachinery/index.js';

export interface Meta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly deletionTimestamp?: string;
  readonly ownerReferences?: readonly Reference[];
}

export interface Reference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export type Stored = { readonly [field: string]: unknown } & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Meta;
};

/** An object as a test writes it. */
export interface Written {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly namespace?: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

/** Turns of the event loop after which controllers that are still busy are taken for running in a circle. */
const MAX_TURNS = 20_000;

/** A server on a clock that stands still, asked without its network. Kinds are named by their plural, with the group: `pods`, `apps/deployments`. */
export class World {
  readonly server: ApiServer;
  readonly clock: FakeClock;
  readonly problems: ServerProblem[];

  private constructor(server: ApiServer, clock: FakeClock, problems: ServerProblem[]) {
    this.server = server;
    this.clock = clock;
    this.problems = problems;
  }

  static async start(options: Omit<ApiServerOptions, 'clock' | 'onProblem' | 'protocol'> = {}): Promise<World> {
    const clock = new FakeClock();
    const problems: ServerProblem[] = [];
    const server = await ApiServer.start({ ...options, clock, protocol: 'http', onProblem: (problem) => problems.push(problem) });
    const world = new World(server, clock, problems);
    await world.settled();
    return world;
  }

  async close(): Promise<void> {
    await this.server.close();
  }

  /** Until no controller has anything to do at this time. */
  async settled(): Promise<void> {
    for (let turn = 0, quiet = 0; quiet < 3; turn += 1) {
      if (turn > MAX_TURNS) throw new Error('the controllers do not come to rest');
      quiet = this.server.isIdle ? quiet + 1 : 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Moves the time on in steps of a second, each with all its consequences. */
  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      this.clock.advance('1s');
      await this.settled();
    }
  }

  async create(object: Written): Promise<Stored> {
    const { group, version } = groupVersionOf(object.apiVersion);
    const served = this.server.core.catalog.ofKind(group, version, object.kind);
    if (served === undefined) throw new Error(`nobody serves ${object.apiVersion} ${object.kind}`);
    const target = { served, namespace: object.metadata.namespace ?? '', name: '', subresource: '' };
    return (await this.server.core.api.create(
      target,
      { value: object as never, strictProblems: [] },
      this.#context(),
    )) as unknown as Stored;
  }

  get(plural: string, key: string): Stored | undefined {
    const { served, namespace, name } = this.#target(plural, key);
    const found = this.server.core.cluster.get(served.resource, { namespace, name });
    return found as unknown as Stored | undefined;
  }

  must<T = Stored>(plural: string, key: string): T {
    const found = this.get(plural, key);
    if (found === undefined) throw new Error(`there is no ${plural} ${key}`);
    return found as unknown as T;
  }

  list<T = Stored>(plural: string, namespace = 'default'): readonly T[] {
    return this.server.core.cluster.list(this.#target(plural, '').served.resource, namespace) as unknown as readonly T[];
  }

  names(plural: string, namespace = 'default'): readonly string[] {
    return this.list(plural, namespace).map(({ metadata }) => metadata.name);
  }

  async patch(plural: string, key: string, patch: object, subresource = ''): Promise<Stored> {
    const request = { value: patch as never, strictProblems: [], format: 'merge' as PatchFormat, force: false };
    const { object } = await this.server.core.api.patch({ ...this.#target(plural, key), subresource }, request, this.#context());
    return object as unknown as Stored;
  }

  async update(plural: string, key: string, object: object, subresource = ''): Promise<Stored> {
    const body = { value: object as never, strictProblems: [] };
    const { object: written } = await this.server.core.api.update({ ...this.#target(plural, key), subresource }, body, this.#context());
    return written as unknown as Stored;
  }

  async delete(plural: string, key: string, options: DeleteOptions = {}): Promise<void> {
    await this.server.core.api.delete(this.#target(plural, key), options, this.#context());
  }

  /** Deletes what may be gone already. */
  async remove(plural: string, key: string): Promise<void> {
    await this.delete(plural, key).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
  }

  /** Of the last write. */
  get revision(): number {
    return this.server.core.store.revision;
  }

  #target(plural: string, key: string): Target {
    const [group, name] = plural.includes('/') ? (plural.split('/', 2) as [string, string]) : ['', plural];
    const resource = this.server.core.catalog.find(group, name);
    const version = resource?.versions.find((candidate) => candidate.version === resource.storageVersion) ?? resource?.versions[0];
    if (resource === undefined || version === undefined) throw new Error(`nobody serves ${plural}`);
    const [namespace, object] = key.includes('/') ? (key.split('/', 2) as [string, string]) : ['', key];
    return { served: { resource, version }, namespace, name: object, subresource: '' };
  }

  #context(): RequestContext {
    return {
      user: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
      fieldManager: 'test',
      fieldValidation: 'Strict',
      isDryRun: false,
      now: () => this.clock.now(),
      warn: () => undefined,
      signal: new AbortController().signal,
      authorize: () => undefined,
    };
  }
}

export function configMap(name: string, owners: readonly Partial<Reference>[] = [], more: object = {}): Written {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default', ownerReferences: owners, ...more } };
}

/** A reference to an object, with `blockOwnerDeletion` where wanted. */
export function ownerOf({ apiVersion, kind, metadata: { name, uid } }: Stored, more: Partial<Reference> = {}): Reference {
  return { apiVersion, kind, name, uid, ...more };
}

export type { JsonObject };
