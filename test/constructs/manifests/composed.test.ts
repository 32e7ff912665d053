import { ApiObject, type Chart } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { composed, findResource } from 'keelson/constructs';
import { Deployment } from 'keelson/kinds';

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

describe('composed', () => {
  test('what the constructs build is the set of children, in the namespace of the object', () => {
    const children = composed(server)(web('a', 'team'));
    expect(children.map(({ kind, metadata }) => `${kind} ${metadata.namespace}`)).toEqual(['Deployment team', 'Service team']);
    expect(findResource(children, Deployment).spec?.replicas).toBe(2);
  });

  test('the same object gives the same children, another object others', () => {
    const children = composed(server);
    expect(children(web('a', 'team'))).toEqual(children(web('a', 'team')));
    const names = [web('a'), web('b')].flatMap((object) => children(object).map(({ kind, metadata }) => `${kind}/${metadata.name}`));
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(name).toMatch(/\/web-[ab]-/);
  });

  test('a cluster-scoped built-in kind carries no namespace', () => {
    const children = composed((chart: Chart) => {
      new kplus.ClusterRole(chart, 'role', { metadata: { name: 'r' } });
      new kplus.Role(chart, 'own', { metadata: { name: 'r' } });
    })(web('a', 'team'));
    expect(findResource(children, 'ClusterRole').metadata).not.toHaveProperty('namespace');
    expect(findResource(children, 'Role').metadata.namespace).toBe('team');
  });

  test('labels reach every child, validations are errors', () => {
    const children = composed((chart: Chart) => void new ApiObject(chart, 'x', { apiVersion: 'v1', kind: 'ConfigMap' }), {
      labels: { owner: 'web' },
    });
    expect(children(web('a'))[0]?.metadata.labels).toEqual({ owner: 'web' });
    const invalid = composed((chart: Chart) => chart.node.addValidation({ validate: () => ['not so'] }));
    expect(() => invalid(web('a'))).toThrow(/not so/);
  });
});
