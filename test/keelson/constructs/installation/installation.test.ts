import { Chart, Testing } from 'cdk8s';
import {
  ConstructError,
  installationOf,
  Operator,
  OperatorDeployment,
  type OperatorProps,
  OperatorRbac,
  WebhookConfigurations,
  WebhookService,
} from 'keelson/constructs';
import { fullOperator, plainOperator } from '../models';
import { type AnyManifest, image, manifestsOf } from '../synthesized';

describe('scope', () => {
  test.each([
    [{ namespaces: [] }, /scope\.namespaces is empty/],
    [{ namespaces: ['a', 'a'] }, /scope\.namespaces: 'a' is named twice/],
    [{ namespaces: ['A'] }, /scope\.namespaces: 'A' must be/],
    [{ namespaces: ['a', 7 as never] }, /scope\.namespaces: '7' must be/],
    [{ namespaces: 'a' as never }, /scope\.namespaces is empty: name the namespaces to watch/],
  ])('%j is refused', (scope, message) => {
    expect(() => manifestsOf({ scope })).toThrow(message);
  });
});

test('no namespace', () => {
  const chart = Testing.chart();
  expect(() => new Operator(chart, 'operator', { operator: fullOperator, image })).toThrow(
    /^test\/operator: no namespace: webhooks, bindings and certificates name/,
  );
});

test.each([
  ['A_b', "the namespace 'A_b'"],
  ['', "the namespace ''"],
  [7, "the namespace '7'"],
  [{ name: 7 }, "the namespace '7'"],
  [{ name: 'a.b' }, "the namespace 'a.b'"],
])('the namespace %j is refused by its name', (namespace, found) => {
  const chart = Testing.chart();
  expect(() => installationOf(chart, { operator: plainOperator, namespace: namespace as never })).toThrow(
    `test: ${found}: webhooks, bindings and certificates name the operator's namespace; set namespace here or on the chart to `,
  );
});

test('errors carry a stable code', () => {
  const error = (() => {
    try {
      new Operator(Testing.chart(), 'operator', { operator: fullOperator, image });
    } catch (caught) {
      return caught;
    }
    return undefined;
  })();
  expect(error).toMatchObject({ code: 'KEELSON_CONSTRUCT', actor: 'author', path: 'test/operator', name: 'ConstructError' });
  expect(ConstructError.isOperatorError(error)).toBe(true);
});

test.each<[string, Partial<OperatorProps>, RegExp]>([
  ['a name too long for its Services', { name: 'a'.repeat(56) }, /must be at most 55 lower case letters/],
  ['a name with a dot', { name: 'a.b' }, /operator's name 'a\.b' must be/],
  ['no operator', { operator: undefined as never }, /chart\/operator: operator is not an operator; pass what defineOperator returned/],
  ['a port out of range', { ports: { health: 0 } }, /ports\.health is 0; write a whole number from 1 to 65535/],
  ['two servers at one port', { ports: { webhook: 8081 } }, /ports\.webhook and ports\.health are both 8081/],
  ['a lease that cannot be', { leaderElection: { leaseName: 'A_b' } }, /leaderElection\.leaseName: 'A_b' must be/],
  [
    'readers of what everybody may read',
    { metrics: { secure: false, readers: [{ name: 'a', namespace: 'b' }] } },
    /metrics\.readers are given, but metrics\.secure is false/,
  ],
  [
    'a reader without a namespace',
    { metrics: { readers: [{ name: 'a' } as never] } },
    /metrics\.readers: 'undefined\/a' is not a ServiceAccount/,
  ],
  ['an unknown log level', { logLevel: 'loud' as never }, /logLevel 'loud' is unknown; write one of fatal, error, warn/],
])('%s', (_name, props, message) => {
  expect(() => manifestsOf(props)).toThrow(message);
});

test('a part without an installation says where to get one', () => {
  const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
  expect(() => new WebhookService(chart, 'service', { operator: plainOperator } as never)).toThrow(
    'chart/service: installation is missing; pass installationOf(chart, { operator, … }), or operator.installation of an Operator',
  );
});

test('parts that are used alone share one installation, and write what Operator writes', () => {
  const together = new Chart(Testing.app(), 'chart', { namespace: 'system' });
  const operator = new Operator(together, 'operator', { operator: fullOperator, image, crds: false, aggregateRoles: false });
  const alone = new Chart(Testing.app(), 'chart', { namespace: 'system' });
  const installation = installationOf(alone, { operator: fullOperator, storedVersions: false });
  expect(installation).toEqual(operator.installation);
  new OperatorRbac(alone, 'rbac', { installation });
  new OperatorDeployment(alone, 'deployment', { installation, image });
  new WebhookConfigurations(alone, 'webhooks', { installation });
  const kinds = new Set((alone.toJson() as AnyManifest[]).map(({ kind }) => kind));
  expect(kinds.size).toBeGreaterThan(6);
  expect(alone.toJson()).toEqual((together.toJson() as AnyManifest[]).filter(({ kind }) => kinds.has(kind)));
});

test('stored versions are migrated where the installation decides over versions: in the whole cluster, with its own CRDs', () => {
  const scoped = { namespaces: ['team-a'] };
  const storedBy = (props: object): readonly string[] => {
    const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
    return new Operator(chart, 'operator', { operator: fullOperator, image, ...props }).installation.storedVersions;
  };
  expect(storedBy({})).toEqual(['pools.net.example.com']);
  expect(storedBy({ crds: false })).toEqual([]);
  expect(storedBy({ scope: scoped })).toEqual([]);
  expect(storedBy({ storedVersions: false })).toEqual([]);
  expect(storedBy({ scope: scoped, crds: false, storedVersions: true })).toEqual(['pools.net.example.com']);
});
