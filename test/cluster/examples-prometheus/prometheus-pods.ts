import { dirname, join } from 'node:path';
import { type InProcessCluster, processes } from '@keelson/testing';
import { Pod } from 'keelson/kinds';
import { bundledProgram } from '../harness/index.js';
import type { DnsServer } from './dns-server.js';

const ROOT = join(__dirname, '../../..');

/** What a target of the tests says under /metrics. */
const TARGET = `
const { createServer } = require('node:http');
createServer((_, response) => {
  response.setHeader('content-type', 'text/plain; version=0.0.4');
  response.end('pressure{of="' + process.env.HOSTNAME + '"} 7\\n');
}).listen(8080, process.argv[1]);
`;

/** Stands for the network between a Pod of the operator and this process, in which it runs: passes on requests for its metrics. */
const PASSING_ON = `
const { createServer, get } = require('node:http');
createServer((request, response) => {
  get({ host: '127.0.0.1', port: process.env.METRICS_PORT, path: request.url }, (answer) => {
    response.setHeader('content-type', answer.headers['content-type']);
    answer.pipe(response);
  });
}).listen(8080, process.argv[1]);
`;

/** Runs Prometheus, the stand-in of its reloader, and targets as processes. @param program of Prometheus @param dns which it asks for names; default: this machine's */
export function prometheusProcesses(program: string, dns: DnsServer | undefined) {
  return processes({
    'quay.io/prometheus/prometheus:*': ({ args, local }) => {
      const command = { program, args: args.map(local) };
      return dns === undefined ? command : dns.for(command);
    },
    'quay.io/prometheus-operator/prometheus-config-reloader:*': ({ args, local, mounts, pathOf }) => {
      // The configuration names files by the mounts of Prometheus’ own container; volumes of a Pod lie side by side.
      const certificates = join(dirname(pathOf('/etc/prometheus/config')), 'tls-assets');
      const places = [...mounts.map(({ mountPath, path }) => [mountPath, path]), ['/etc/prometheus/certs', certificates]];
      const maps = places.map(([from, to]) => `--map=${from}/=${to}/`);
      return {
        program: process.execPath,
        args: [bundledProgram('examples/prometheus/config-reloader.ts'), ...args.map(local), ...maps],
        directory: ROOT,
      };
    },
    'example.com/target:*': ({ address }) => ({ program: process.execPath, args: ['-e', TARGET, address] }),
    'example.com/operator:*': ({ address }) => ({ program: process.execPath, args: ['-e', PASSING_ON, address] }),
  });
}

interface Target {
  readonly labels: Readonly<Record<string, string>>;
  readonly health: string;
}

/** Prometheus’ own HTTP API, of one Pod. */
export class PrometheusApi {
  readonly #cluster: InProcessCluster;
  readonly #pod: string;

  constructor(cluster: InProcessCluster, pod: string) {
    this.#cluster = cluster;
    this.#pod = pod;
  }

  /** Targets that were scraped and answered, by job and Pod. */
  async targets(): Promise<string[]> {
    const { activeTargets } = (await this.#ask('targets?state=active')) as { readonly activeTargets: readonly Target[] };
    return activeTargets
      .filter(({ health }) => health === 'up')
      .map(({ labels }) => `${labels['job']} ${labels['pod']}`)
      .sort();
  }

  /** Values of an instant query. */
  async query(query: string): Promise<number[]> {
    const { result } = (await this.#ask(`query?query=${encodeURIComponent(query)}`)) as {
      readonly result: readonly { readonly value: readonly [number, string] }[];
    };
    return result.map(({ value }) => Number(value[1]));
  }

  async rules(): Promise<string[]> {
    const { groups } = (await this.#ask('rules')) as {
      readonly groups: readonly { readonly rules: readonly { readonly name: string }[] }[];
    };
    return groups.flatMap(({ rules }) => rules.map(({ name }) => name));
  }

  /** A number among its own metrics. */
  async own(metric: string): Promise<number> {
    const text = await (await this.#fetch('/metrics')).text();
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${metric} `))
        ?.slice(metric.length),
    );
  }

  async #ask(path: string): Promise<unknown> {
    const { data } = (await (await this.#fetch(`/api/v1/${path}`)).json()) as { readonly data: unknown };
    return data;
  }

  async #fetch(path: string): Promise<Response> {
    return fetch(`http://${await this.#cluster.addressOf(Pod, this.#pod)}:9090${path}`);
  }
}
