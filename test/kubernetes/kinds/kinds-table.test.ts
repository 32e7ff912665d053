import discovery from '../../../imports/discovery.json';
import * as flat from '../../../imports/kinds/index.js';
import { KUBERNETES_VERSION as READ_VERSION } from '../../../imports/version.js';
import { KUBERNETES_VERSION } from '../../../scripts/cluster/binaries.js';
import { apiVersionOf, type KindInfo } from '../../../src/kubernetes/apimachinery/index.js';

interface Row {
  readonly module: string;
  readonly group: string;
  readonly version: string;
  readonly resource: (typeof discovery.groups)[number]['versions'][number]['resources'][number];
}

const rows: Row[] = discovery.groups.flatMap(({ group, versions }) =>
  versions.flatMap(({ version, resources }) =>
    resources.map((resource) => ({ module: `${group === '' ? 'core' : group.split('.')[0]}/${version}`, group, version, resource })),
  ),
);

const isKind = (value: unknown): value is KindInfo => typeof value === 'function' && 'plural' in value;
const kindsOf = (module: string): Record<string, KindInfo> =>
  Object.fromEntries(
    Object.entries(jest.requireActual<object>(`../../../imports/kinds/${module}.ts`)).filter(([, value]) => isKind(value)),
  );

test('discovery was read from the pinned version, with every API switched on', () => {
  expect(READ_VERSION).toBe(KUBERNETES_VERSION);
  expect(rows.length).toBeGreaterThan(80);
  expect(rows.map(({ module }) => module)).toContain('resource/v1alpha3');
});

test.each(rows.map((row) => [`${row.module} ${row.resource.kind}`, row] as const))('%s', (_, { module, group, version, resource }) => {
  const { kind, plural, scope, subresources } = resource;
  const expected = { group, version, kind, plural, scope, subresources: subresources.map(({ name }) => name).sort() };
  expect({ ...kindsOf(module)[kind] }).toEqual(expected);
});

test('no module has a kind that discovery does not know', () => {
  for (const module of new Set(rows.map((row) => row.module))) {
    const known = rows.filter((row) => row.module === module).map((row) => row.resource.kind);
    expect(Object.keys(kindsOf(module)).sort()).toEqual(known.sort());
  }
});

test('the flat index has every kind of every stable version under one name', () => {
  const stable = rows.filter(({ version }) => /^v\d+$/.test(version));
  const indexed = new Set<unknown>(Object.values(flat));
  for (const { module, resource } of stable) expect(indexed).toContain(kindsOf(module)[resource.kind]);
  expect(indexed.size).toBe(stable.length);
});

test('a name that two groups or versions share says which one it is', () => {
  const named = (name: string) => {
    const kind = (flat as Record<string, unknown>)[name];
    return isKind(kind) ? `${apiVersionOf(kind)} ${kind.kind}` : undefined;
  };
  expect(named('HorizontalPodAutoscaler')).toBe('autoscaling/v2 HorizontalPodAutoscaler');
  expect(named('AutoscalingV1HorizontalPodAutoscaler')).toBe('autoscaling/v1 HorizontalPodAutoscaler');
  expect(named('CoreV1Event')).toBe('v1 Event');
  expect(named('EventsV1Event')).toBe('events.k8s.io/v1 Event');
  expect(named('Event')).toBeUndefined();
  expect(named('ResourceClaim')).toBe('resource.k8s.io/v1 ResourceClaim');
});

test('discovery knows the kinds that subresources speak', () => {
  const spoken = (plural: string, name: string) => {
    const found = rows
      .find((row) => row.resource.plural === plural)
      ?.resource.subresources.find((subresource) => subresource.name === name);
    return found === undefined ? undefined : `${found.group}/${found.version} ${found.kind}`;
  };
  expect(spoken('deployments', 'scale')).toBe('autoscaling/v1 Scale');
  expect(spoken('pods', 'eviction')).toBe('policy/v1 Eviction');
  expect(spoken('serviceaccounts', 'token')).toBe('authentication.k8s.io/v1 TokenRequest');
  expect(spoken('deployments', 'status')).toBe('apps/v1 Deployment');
});
