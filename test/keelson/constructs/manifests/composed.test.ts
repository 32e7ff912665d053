import { ApiObject, type Chart } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { type KubernetesObject, own } from 'keelson';
import { composed, findResource } from 'keelson/constructs';
import { ClusterRole, ConfigMap, Deployment, Pod, Role, Service } from 'keelson/kinds';

interface Web {
  readonly apiVersion: 'example.com/v1';
  readonly kind: 'Web';
  metadata: { name: string; namespace?: string };
  spec: { replicas: number };
}

const web = (name: string, namespace?: string): Web => ({
  apiVersion: 'example.com/v1',
  kind: 'Web',
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  spec: { replicas: 2 },
});

function server(chart: Chart, { spec }: Web): void {
  const deployment = new kplus.Deployment(chart, 'server', {
    replicas: spec.replicas,
    containers: [{ image: 'nginx:1.27', portNumber: 8080 }],
  });
  deployment.exposeViaService();
}

const OWNS = { deployments: Deployment, services: Service };
const all = (children: object): KubernetesObject[] => Object.values(children as Record<string, KubernetesObject[]>).flat();

describe('composed', () => {
  test('each child stands under the handle of its kind; a handle without any is empty, so that what it had is deleted', () => {
    const owns = { configs: ConfigMap, deployments: Deployment, services: Service, pods: own(Pod, { verbs: ['delete'] }) };
    const children: object = composed(owns, server)(web('a'));
    expect(Object.entries(children).map(([handle, list]) => [handle, list.length])).toEqual([
      ['configs', 0],
      ['deployments', 1],
      ['services', 1],
    ]);
  });

  test('an object of a kind that is not declared is refused by name', () => {
    expect(() => composed({ deployments: Deployment }, server)(web('a'))).toThrow(
      /^web-a: Service web-a-.* \(v1\) belongs under no handle; declare its kind in owns, which has deployments \(Deployment apps\/v1\)/,
    );
  });

  test('what the constructs build is the set of children, in the namespace of the object', () => {
    const children = all(composed(OWNS, server)(web('a', 'team')));
    expect(children.map(({ kind, metadata }) => `${kind} ${metadata.namespace}`)).toEqual(['Deployment team', 'Service team']);
    expect(findResource(children, Deployment).spec?.replicas).toBe(2);
  });

  test('the same object gives the same children, another object others', () => {
    const children = composed(OWNS, server);
    expect(children(web('a', 'team'))).toEqual(children(web('a', 'team')));
    const names = [web('a'), web('b')].flatMap((object) => all(children(object)).map(({ kind, metadata }) => `${kind}/${metadata.name}`));
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(name).toMatch(/\/web-[ab]-/);
  });

  test('a cluster-scoped built-in kind carries no namespace', () => {
    const children = composed({ roles: Role, clusterRoles: ClusterRole }, (chart: Chart) => {
      new kplus.ClusterRole(chart, 'role', { metadata: { name: 'r' } });
      new kplus.Role(chart, 'own', { metadata: { name: 'r' } });
    })(web('a', 'team'));
    expect(findResource(all(children), 'ClusterRole').metadata).not.toHaveProperty('namespace');
    expect(findResource(all(children), 'Role').metadata.namespace).toBe('team');
  });

  test('labels reach every child, validations are errors', () => {
    const build = (chart: Chart) => void new ApiObject(chart, 'x', { apiVersion: 'v1', kind: 'ConfigMap' });
    const children = composed({ configs: ConfigMap }, build, { labels: { owner: 'web' } });
    expect(children(web('a')).configs?.[0]?.metadata.labels).toEqual({ owner: 'web' });
    const invalid = composed({}, (chart: Chart) => chart.node.addValidation({ validate: () => ['not so'] }));
    expect(() => invalid(web('a'))).toThrow(/not so/);
  });
});
