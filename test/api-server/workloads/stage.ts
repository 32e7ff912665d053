import type { WorkloadsOptions } from '../../../src/api-server/workloads/index.js';
import type { Deployment, Pod, ReplicaSet } from '../../../src/kubernetes/kinds/index.js';
import { World, type Written } from '../controllers/world.js';

/** A cluster in which Pods run, on a clock that stands still. Everything takes no time unless options say so. */
export class Stage {
  readonly world: World;

  private constructor(world: World) {
    this.world = world;
  }

  static async start(workloads: WorkloadsOptions = {}): Promise<Stage> {
    return new Stage(await World.start({ workloads }));
  }

  async create(object: object): Promise<void> {
    await this.world.create(object as Written);
    await this.world.settled();
  }

  async patch(plural: string, key: string, patch: object): Promise<void> {
    await this.world.patch(plural, `default/${key}`, patch);
    await this.world.settled();
  }

  get pods(): readonly Pod[] {
    return this.world.list<Pod>('pods');
  }

  pod(name: string): Pod {
    return this.world.must<Pod>('pods', `default/${name}`);
  }

  deployment(name = 'web'): Deployment {
    return this.world.must<Deployment>('apps/deployments', `default/${name}`);
  }

  get replicaSets(): readonly ReplicaSet[] {
    return this.world.list<ReplicaSet>('apps/replicasets');
  }

  /** Images of the Pods that are not being deleted, with how many are ready: `a:1 2/3`. */
  get images(): readonly string[] {
    const counts = new Map<string, [number, number]>();
    for (const { metadata, spec, status } of this.pods) {
      if (metadata.deletionTimestamp !== undefined) continue;
      const image = spec.containers[0]?.image ?? '';
      const [ready, all] = counts.get(image) ?? [0, 0];
      const isReady = status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') === true;
      counts.set(image, [ready + (isReady ? 1 : 0), all + 1]);
    }
    return [...counts].map(([image, [ready, all]]) => `${image} ${ready}/${all}`).sort();
  }

  async close(): Promise<void> {
    await this.world.close();
    expect(this.world.problems).toEqual([]);
  }
}

export function conditionsOf(object: {
  readonly status?: { readonly conditions?: readonly object[] | undefined } | undefined;
}): Record<string, string> {
  const conditions = (object.status?.conditions ?? []) as readonly {
    readonly type: string;
    readonly status: string;
    readonly reason?: string;
  }[];
  return Object.fromEntries(conditions.map(({ type, status, reason = '' }) => [type, `${status} ${reason}`.trim()]));
}

export const container = (image: string, more: object = {}): object => ({ name: 'main', image, ...more });

export function template(image: string, more: object = {}): object {
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [container(image)], ...more } };
}

export function deployment(spec: object = {}): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas: 3, selector: { matchLabels: { app: 'web' } }, template: template('a:1'), ...spec },
  };
}

export function statefulSet(spec: object = {}): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db', namespace: 'default' },
    spec: { replicas: 3, serviceName: 'db', selector: { matchLabels: { app: 'web' } }, template: template('a:1'), ...spec },
  };
}

export function daemonSet(spec: object = {}): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent', namespace: 'default' },
    spec: { selector: { matchLabels: { app: 'web' } }, template: template('a:1'), ...spec },
  };
}

/** The part of a claim's template that does not matter. */
export function claimTemplate(name: string): object {
  return { metadata: { name }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
}

export function job(spec: object = {}, podSpec: object = {}): object {
  const pod = { restartPolicy: 'Never', containers: [container('a:1')], ...podSpec };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'sum', namespace: 'default' },
    spec: { template: { spec: pod }, ...spec },
  };
}
