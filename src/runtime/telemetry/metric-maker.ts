import type { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type PromClient = Pick<typeof import('prom-client'), 'Counter' | 'Gauge' | 'Histogram' | 'Registry' | 'collectDefaultMetrics'>;

/** Makes metrics of one registry. A base class, so that a set's fields can be made where they are declared. */
export class MetricMaker {
  readonly #prom: PromClient;
  readonly #registers: Registry[];

  constructor(prom: PromClient, registry: Registry) {
    this.#prom = prom;
    this.#registers = [registry];
  }

  protected counter<T extends string>(name: string, help: string, labelNames: readonly T[]): Counter<T> {
    return new this.#prom.Counter<T>({ name, help, labelNames: [...labelNames], registers: this.#registers });
  }

  protected gauge<T extends string>(name: string, help: string, labelNames: readonly T[], read?: (gauge: Gauge<T>) => void): Gauge<T> {
    const gauge: Gauge<T> = new this.#prom.Gauge<T>({
      name,
      help,
      labelNames: [...labelNames],
      registers: this.#registers,
      ...(read === undefined
        ? {}
        : {
            collect: () => {
              gauge.reset(); // a queue that is gone has no depth
              read(gauge);
            },
          }),
    });
    return gauge;
  }

  protected histogram<T extends string>(
    name: string,
    help: string,
    { labels, buckets }: { readonly labels: readonly T[]; readonly buckets: readonly number[] },
  ): Histogram<T> {
    return new this.#prom.Histogram<T>({ name, help, labelNames: [...labels], buckets: [...buckets], registers: this.#registers });
  }
}
