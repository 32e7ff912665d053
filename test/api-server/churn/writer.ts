import { Random } from '../values/apply/differential/random.js';
import type { Client } from './http.js';
import { collectionOf, NAMESPACES, objectAt, SUBJECTS } from './subjects.js';

const NAMES = Array.from({ length: 12 }, (_, n) => `n${n}`);
export const COLORS = ['red', 'green', 'blue'] as const;

/** Answers that a client of a busy, faulty server has to expect; 0: the connection broke. */
const EXPECTED: ReadonlySet<number> = new Set([0, 200, 201, 202, 404, 409, 422, 429, 500, 503]);

/** Writes objects of all kinds in all ways, without a pause. */
export class Writer {
  readonly #client: Client;
  readonly #random: Random;
  #written = 0;

  constructor(client: Client, seed: number) {
    this.#client = client;
    this.#random = new Random(seed);
  }

  get requests(): number {
    return this.#written;
  }

  /** @throws Error for an answer that no fault explains */
  async write(): Promise<void> {
    const random = this.#random;
    this.#written += 1;
    const of = random.one(SUBJECTS);
    const at = { name: random.one(NAMES), namespace: random.one(NAMESPACES), color: random.one(COLORS), n: this.#written };
    const collection = collectionOf(of, at.namespace);
    const path = `${collection}/${at.name}`;
    const labels = { metadata: { labels: { color: at.color, n: `v${at.n}` } } };
    const verb = random.below(20);
    const { status, text } = await (verb < 6
      ? this.#client.send('POST', collection, { body: objectAt(of, at) })
      : verb < 11
        ? this.#client.send('PATCH', path, { body: labels, type: 'application/merge-patch+json' })
        : verb < 14
          ? this.#apply(path, objectAt(of, at))
          : verb < 16
            ? this.#client.send('PATCH', path, {
                body: [{ op: 'add', path: '/metadata/annotations', value: { n: `${at.n}` } }],
                type: 'application/json-patch+json',
              })
            : verb === 19 && random.chance(0.1)
              ? this.#client.send('DELETE', `${collection}?labelSelector=color%3D${at.color}&gracePeriodSeconds=0`)
              : this.#client.send('DELETE', `${path}?gracePeriodSeconds=0&propagationPolicy=${random.one(['Background', 'Orphan'])}`));
    if (!EXPECTED.has(status)) throw new Error(`${of.kind} ${path}: ${status} ${text}`);
  }

  #apply(path: string, body: unknown): ReturnType<Client['send']> {
    return this.#client.send('PATCH', `${path}?fieldManager=churn&force=true`, { body, type: 'application/apply-patch+yaml' });
  }
}
