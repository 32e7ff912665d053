import { gunzipSync } from 'node:zlib';
import { FakeClock, type InProcessCluster, mergePatch, type RunningOperator, TestCluster } from '@keelson/testing';
import { EventsV1Event, Secret, StatefulSet } from 'keelson/kinds';
import { Probe, Prometheus, PrometheusRule, ScrapeConfig, ServiceMonitor } from './kinds.js';
import { operator } from './prometheus-operator.js';
import { config } from './settings.js';

type Spec = Parameters<typeof Prometheus>[0]['spec'];
type Settings = Parameters<typeof config.values>[0];
export interface WorldOptions {
  readonly settings?: Settings | undefined;
  readonly webhooks?: false;
}

const TEAM = { matchLabels: { team: 'a' } };
/** Selects all of team a in its own namespace. */
export const OF_TEAM_A = { serviceMonitorSelector: TEAM, podMonitorSelector: TEAM, ruleSelector: TEAM };
/** Beside those, Probes and ScrapeConfigs. */
export const ALL_OF_TEAM_A = { ...OF_TEAM_A, probeSelector: TEAM, scrapeConfigSelector: TEAM };

export const labelled = (name: string, namespace = 'shop') => ({ metadata: { name, namespace, labels: { team: 'a' } } });
export const monitor = (name: string, endpoint: object = { port: 'web' }, namespace = 'shop') =>
  ServiceMonitor({ ...labelled(name, namespace), spec: { selector: { matchLabels: { app: name } }, endpoints: [endpoint] } });
export const probe = (name: string, spec: object = {}, namespace = 'shop') =>
  Probe({
    ...labelled(name, namespace),
    spec: { prober: { url: 'blackbox:9115' }, targets: { staticConfig: { static: ['https://shop.example.com'] } }, ...spec },
  });
export const scrapeConfig = (name: string, spec: object = {}, namespace = 'shop') =>
  ScrapeConfig({ ...labelled(name, namespace), spec: { staticConfigs: [{ targets: ['db:9187'] }], ...spec } });
export const rule = (name: string, expr = 'up == 0', annotations: Record<string, string> = {}) =>
  PrometheusRule({ ...labelled(name), spec: { groups: [{ name, rules: [{ alert: 'Down', expr, annotations }] }] } });

// #region world
/** The operator on an API server of its own, with Pods that are simulated and a clock that the test moves. */
export class World {
  readonly cluster: InProcessCluster<FakeClock>;
  #running: RunningOperator | undefined;

  constructor(cluster: InProcessCluster<FakeClock>) {
    this.cluster = cluster;
  }

  static async start({ settings, ...options }: WorldOptions = {}): Promise<World> {
    const cluster = await TestCluster.start({ operator, workloads: true, clock: new FakeClock(), namespace: 'shop', ...options });
    const world = new World(cluster);
    await world.restart(settings);
    return world;
  }
  // #endregion

  close(): Promise<void> {
    return this.cluster.close();
  }

  /** Another process of the operator, with these settings. */
  async restart(settings: Settings = {}): Promise<void> {
    await this.#running?.stop();
    this.#running = await this.cluster.startOperator({
      settings: { metrics: { port: 0, secure: false } },
      values: [config.values(settings)],
    });
    await this.cluster.settled();
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
  }

  async createPrometheus(spec: Partial<Spec> = OF_TEAM_A, metadata: object = {}): Promise<void> {
    await this.create(Prometheus({ metadata: { name: 'main', ...metadata }, spec: { ...spec } }));
  }

  async create(...objects: readonly object[]): Promise<void> {
    for (const object of objects) await this.cluster.create(object as never);
    await this.cluster.settled();
  }

  async change(patch: object, name = 'main'): Promise<void> {
    await this.cluster.patch(Prometheus, name, mergePatch(patch));
    await this.cluster.settled();
  }

  /** Lets time pass, in which failures are tried again. */
  async pass(span: '1m' | '10s' = '10s'): Promise<void> {
    this.cluster.clock.advance(span);
    await this.cluster.settled();
  }

  async config(): Promise<string> {
    const { data } = await this.cluster.get(Secret, 'prometheus-main');
    return gunzipSync(Buffer.from(data?.['prometheus.yaml.gz'] ?? '', 'base64')).toString();
  }

  /** Names of the jobs in the generated configuration. */
  async jobs(): Promise<string[]> {
    return [...(await this.config()).matchAll(/job_name: (\S+)/g)].map(([, name = '']) => name);
  }

  /** Status, reason and message of a condition. */
  async condition(type: string): Promise<string | undefined> {
    const { status } = await this.cluster.get(Prometheus, 'main');
    const found = status?.conditions?.find((each) => each.type === type);
    return found === undefined ? undefined : `${found.status} ${found.reason}${found.message === '' ? '' : `: ${found.message}`}`;
  }

  /** The bindings in the status of a selected object, by Prometheus: `shop/main: True`, or `shop/main: False, …`. */
  async bindings(kind: typeof ServiceMonitor, name: string, namespace = 'shop'): Promise<string[]> {
    const { status } = await this.cluster.get(kind, { name, namespace });
    return (status?.bindings ?? []).map((binding) => {
      const accepted = binding.conditions?.find(({ type }) => type === 'Accepted');
      const why = accepted?.reason === undefined ? '' : `, ${accepted.reason}: ${accepted.message}`;
      return `${binding.namespace}/${binding.name}: ${accepted?.status}${why}`;
    });
  }

  async generation(name = 'prometheus-main'): Promise<number | undefined> {
    return (await this.cluster.get(StatefulSet, name)).metadata.generation;
  }

  async setNames(): Promise<string[]> {
    return (await this.cluster.list(StatefulSet)).map(({ metadata }) => metadata.name).sort();
  }

  /** Notes of the events about an object, by its kind and name. */
  async eventsAbout(kind: string, name: string, reason: string): Promise<string[]> {
    const events = await this.cluster.list(EventsV1Event, { namespace: 'shop' });
    return events
      .filter((event) => event.reason === reason && event.regarding?.kind === kind && event.regarding.name === name)
      .map(({ note = '' }) => note);
  }

  /** Writes of the operator since a moment, as `create secrets prometheus-main`; events do not count. */
  writesSince(mark: InProcessCluster['requests']['mark']): string[] {
    return this.cluster.requests
      .since(mark)
      .writes()
      .all.filter(({ user, resource }) => user.includes('prometheus-operator') && resource !== 'events')
      .map(({ verb, resource, subresource, name }) => `${verb} ${resource}${subresource === '' ? '' : `/${subresource}`} ${name}`);
  }

  /** The value of a metric of the operator; all its series together. */
  async metric(name: string, labels = ''): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${this.#running?.ports.metrics}/metrics`)).text();
    const lines = text.split('\n').filter((line) => line.startsWith(name) && !line.startsWith('#') && line.includes(labels));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }

  runs(): Promise<number> {
    return this.metric('controller_runtime_reconcile_total', 'controller="prometheus"');
  }
}
