import type { EtcdApi, EtcdTarget } from '../../../examples/etcd/client/api.js';
import { isEtcdError } from '../../../examples/etcd/client/errors.js';
import { type Answered, type Asked, History } from './history.js';

export interface RegisterClientsOptions {
  readonly etcd: EtcdApi;
  /** The members of the moment. A call goes to one of them. */
  readonly target: () => Promise<EtcdTarget>;
  /** In [0, 1): what is asked of which key, and of which member. */
  readonly random: () => number;
  /** @defaultValue 4 */
  readonly clients?: number;
}

const KEYS = 3;
const TIMEOUT_MS = 1_000;
/** Between two calls of a client: members share two cores with all else. */
const PAUSE_MS = 15;
/** Members come and go; who asks one that is gone is refused, and asks another. */
const TARGET_MS = 250;
/** The checker's effort grows with the square of a key's history: others follow. */
const OPERATIONS_PER_KEY = 400;

/** Concurrent clients of a few keys: linearizable reads, puts, and compare-and-swap. Reads go through the quorum, whichever member is asked. */
export class RegisterClients {
  readonly history: History = new History();
  readonly #options: RegisterClientsOptions;
  readonly #seen = new Map<string, string>();
  readonly #ended: Promise<unknown>;
  #target: { readonly at: number; readonly value: Promise<EtcdTarget> } | undefined;
  #calls = 0;
  #isStopped = false;

  constructor(options: RegisterClientsOptions) {
    this.#options = options;
    this.#ended = Promise.all(Array.from({ length: options.clients ?? 4 }, (_, client) => this.#run(client)));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#ended;
  }

  async #run(client: number): Promise<void> {
    while (!this.#isStopped) {
      await this.#call(client);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  async #call(client: number): Promise<void> {
    const { random } = this.#options;
    this.#calls += 1;
    const epoch = Math.floor(this.#calls / (KEYS * OPERATIONS_PER_KEY));
    const key = `register-${epoch}-${Math.floor(random() * KEYS)}`;
    const asked = this.#asked(key, `${this.#calls}`);
    const { endpoints, tls } = await this.#members();
    const endpoint = endpoints[Math.floor(random() * endpoints.length)];
    if (endpoint === undefined) return;
    const call = this.history.begin(client, key, asked);
    try {
      call.answered(await this.#ask({ endpoints: [endpoint], tls }, key, asked));
    } catch (error) {
      if (!isEtcdError(error)) throw error;
      if (error.mayHaveHappened && asked.do !== 'get') call.lost();
      else call.refused();
    }
  }

  #asked(key: string, value: string): Asked {
    const kind = this.#options.random();
    if (kind < 0.4) return { do: 'get' };
    return kind < 0.7 ? { do: 'put', value } : { do: 'cas', expected: this.#seen.get(key) ?? '', value };
  }

  async #ask(target: EtcdTarget, key: string, asked: Asked): Promise<Answered> {
    const { etcd } = this.#options;
    const options = { timeoutMs: TIMEOUT_MS };
    if (asked.do === 'put') {
      await etcd.put(target, key, asked.value, options);
      return undefined;
    }
    if (asked.do === 'get') {
      const { keyValues } = await etcd.range(target, key, options);
      return { value: this.#saw(key, keyValues[0]?.value) };
    }
    const { expected, value } = asked;
    const compare = [expected === '' ? { key, version: 0 } : { key, value: expected }];
    const { succeeded, responses } = await etcd.txn(
      target,
      { compare, success: [{ put: key, value }], failure: [{ range: key }] },
      options,
    );
    return { succeeded, found: succeeded ? '' : this.#saw(key, responses[0]?.[0]?.value) };
  }

  #saw(key: string, value = ''): string {
    this.#seen.set(key, value);
    return value;
  }

  #members(): Promise<EtcdTarget> {
    const now = performance.now();
    if (this.#target === undefined || now - this.#target.at > TARGET_MS) this.#target = { at: now, value: this.#options.target() };
    return this.#target.value;
  }
}
