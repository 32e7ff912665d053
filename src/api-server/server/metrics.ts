import type { DocumentAnswer, RequestObserver, RequestRecord } from '../http/index.js';
import type { Store } from '../store/index.js';

type Labels = Readonly<Record<string, string>>;

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly samples: readonly (readonly [Labels, number])[];
}

/**
 * `/metrics` in Prometheus' text format 0.0.4: requests, watches that are on, stored objects and the process, under kube-apiserver's names.
 *
 * Source of names and labels: apiserver `pkg/endpoints/metrics`, `pkg/storage/etcd3/metrics`.
 */
export class ServerMetrics implements RequestObserver {
  readonly #store: Store;
  readonly #requests = new Map<string, { readonly labels: Labels; count: number }>();
  readonly #watching = new Set<number>();
  readonly #startedSeconds = Date.now() / 1000 - process.uptime();

  constructor(store: Store) {
    this.#store = store;
  }

  watching({ number }: RequestRecord): void {
    this.#watching.add(number);
  }

  finished({ number, info, code }: RequestRecord): void {
    this.#watching.delete(number);
    const { verb, group, version, resource, subresource, namespace, name, isResourceRequest } = info;
    // Paths are the client's choice: a label for each would be a series for each.
    const scope = !isResourceRequest ? '' : name !== '' ? 'resource' : namespace !== '' ? 'namespace' : 'cluster';
    const labels = {
      code: String(code),
      group,
      resource,
      scope,
      subresource,
      verb: isResourceRequest ? verb.toUpperCase() : 'GET',
      version,
    };
    const key = JSON.stringify(labels);
    const known = this.#requests.get(key);
    if (known === undefined) this.#requests.set(key, { labels, count: 1 });
    else known.count += 1;
  }

  answer(): DocumentAnswer {
    const { rss } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const one = (value: number): Family['samples'] => [[{}, value]];
    const families: readonly Family[] = [
      {
        name: 'apiserver_longrunning_requests',
        help: 'Watches that are on.',
        type: 'gauge',
        samples: [[{ verb: 'WATCH' }, this.#watching.size]],
      },
      {
        name: 'apiserver_request_total',
        help: 'Requests that were answered.',
        type: 'counter',
        samples: [...this.#requests.values()].map(({ labels, count }) => [labels, count] as const),
      },
      {
        name: 'apiserver_storage_objects',
        help: 'Stored objects.',
        type: 'gauge',
        samples: this.#store.objectCounts.map(([resource, count]) => [{ resource }, count] as const),
      },
      { name: 'process_cpu_seconds_total', help: 'CPU time.', type: 'counter', samples: one((user + system) / 1e6) },
      { name: 'process_resident_memory_bytes', help: 'Resident memory.', type: 'gauge', samples: one(rss) },
      { name: 'process_start_time_seconds', help: 'Start since 1970.', type: 'gauge', samples: one(this.#startedSeconds) },
    ];
    const headers = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores' };
    return { status: 200, headers, body: families.map(familyText).join('') };
  }
}

/** Both get each request. */
export function bothObservers(first: RequestObserver, second: RequestObserver | undefined): RequestObserver {
  if (second === undefined) return first;
  const tell =
    (what: keyof RequestObserver) =>
    (record: RequestRecord): void => {
      first[what]?.(record);
      second[what]?.(record);
    };
  return { started: tell('started'), answering: tell('answering'), watching: tell('watching'), finished: tell('finished') };
}

function familyText({ name, help, type, samples }: Family): string {
  const lines = samples.map(([labels, value]) => `${name}${labelsText(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.sort().join('')}`;
}

function labelsText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
