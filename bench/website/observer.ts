import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { CHILDREN, type ChildPlural, COLLECTIONS, nameOf, type Plural, type WebsiteCluster } from './cluster.js';

interface Seen {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly generation?: number;
    readonly resourceVersion: string;
    readonly ownerReferences?: readonly { readonly uid: string }[];
  };
  readonly spec?: { readonly title?: string };
  readonly data?: { readonly title?: string };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly observedGeneration?: number }[];
  };
}

interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: Seen;
}

type Listener = (plural: Plural, type: WatchEvent['type'], object: Seen) => void;

/** Watches everything as any client might, and knows which Websites are as they should be. */
export class Observer {
  readonly #cluster: WebsiteCluster;
  readonly #agent: Agent;
  readonly #objects: Readonly<Record<Plural, Map<string, Seen>>> = {
    websites: new Map(),
    configmaps: new Map(),
    deployments: new Map(),
    services: new Map(),
  };
  readonly #converged = new Set<string>();
  readonly #listeners = new Set<Listener>();
  readonly #open: IncomingMessage[] = [];
  #failure: ((error: Error) => void) | undefined;
  readonly #failed: Promise<never>;

  private constructor(cluster: WebsiteCluster) {
    this.#cluster = cluster;
    this.#agent = new Agent({ keepAlive: true, ca: cluster.endpoint.ca });
    this.#failed = new Promise((_, reject) => {
      this.#failure = reject;
    });
    this.#failed.catch(() => undefined);
  }

  static async open(cluster: WebsiteCluster): Promise<Observer> {
    const observer = new Observer(cluster);
    for (const plural of ['websites', ...CHILDREN] as const) await observer.#watch(plural);
    return observer;
  }

  uidOf(plural: ChildPlural, index: number): string | undefined {
    return this.#objects[plural].get(nameOf(index))?.metadata.uid;
  }

  /** Children whose owner is gone: what the garbage collector of a cluster would delete. */
  orphans(): { readonly plural: ChildPlural; readonly name: string }[] {
    const isOrphan = ({ metadata: { name, ownerReferences = [] } }: Seen): boolean =>
      !ownerReferences.some(({ uid }) => uid === this.#objects.websites.get(name)?.metadata.uid);
    return CHILDREN.flatMap((plural) =>
      [...this.#objects[plural].values()].filter(isOrphan).map(({ metadata: { name } }) => ({ plural, name })),
    );
  }

  /** Told of every event; ends with the function that it returns. */
  onEvent(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Settles when so many Websites have all that they should have, with the time. Only events move it: nothing is polled. */
  converged(count: number, also: () => boolean = () => true): Promise<number> {
    const isThere = (): boolean => this.#converged.size >= count && also();
    if (isThere()) return Promise.resolve(performance.now());
    const reached = new Promise<number>((resolve) => {
      const end = this.onEvent(() => {
        if (!isThere()) return;
        end();
        resolve(performance.now());
      });
    });
    return Promise.race([reached, this.#failed]);
  }

  close(): void {
    for (const response of this.#open) response.destroy();
    this.#agent.destroy();
  }

  async #watch(plural: Plural): Promise<void> {
    const list = JSON.parse(await text(await this.#get(COLLECTIONS[plural]))) as { metadata: { resourceVersion: string }; items: Seen[] };
    for (const object of list.items) this.#take(plural, 'ADDED', object);
    const from = `resourceVersion=${list.metadata.resourceVersion}`;
    const response = await this.#get(`${COLLECTIONS[plural]}?watch=1&timeoutSeconds=7200&${from}`);
    this.#open.push(response);
    let rest = '';
    response.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const { type, object } = JSON.parse(line) as WatchEvent;
        if (type === 'ERROR') this.#failure?.(new Error(`the watch of ${plural} failed: ${line}`));
        else this.#take(plural, type, object);
      }
    });
    response.on('error', () => undefined).on('end', () => this.#failure?.(new Error(`the watch of ${plural} ended`)));
  }

  #take(plural: Plural, type: WatchEvent['type'], object: Seen): void {
    const { name } = object.metadata;
    if (type === 'DELETED') this.#objects[plural].delete(name);
    else this.#objects[plural].set(name, object);
    if (this.#isConverged(name)) this.#converged.add(name);
    else this.#converged.delete(name);
    for (const listener of [...this.#listeners]) listener(plural, type, object);
  }

  #isConverged(name: string): boolean {
    const { websites, configmaps, deployments, services } = this.#objects;
    const website = websites.get(name);
    if (website === undefined || !deployments.has(name) || !services.has(name)) return false;
    const ready = website.status?.conditions?.find(({ type }) => type === 'Ready');
    return (
      configmaps.get(name)?.data?.title === website.spec?.title &&
      website.status?.observedGeneration === website.metadata.generation &&
      ready?.observedGeneration === website.metadata.generation
    );
  }

  #get(path: string): Promise<IncomingMessage> {
    const { url, token } = this.#cluster.endpoint;
    return new Promise((resolve, reject) => {
      request(new URL(path, url), { agent: this.#agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
        if (response.statusCode === 200) resolve(response);
        else reject(new Error(`${path} was answered with ${response.statusCode}`));
      })
        .once('error', reject)
        .end();
    });
  }
}

async function text(response: IncomingMessage): Promise<string> {
  let all = '';
  for await (const chunk of response.setEncoding('utf8')) all += chunk as string;
  return all;
}
