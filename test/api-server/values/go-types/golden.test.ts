import { parse } from 'yaml';
import { GoTypes } from '../../../../src/api-server/values/go-types/index.js';
import { builtinCatalog } from '../../documents/discovery/builtin-catalog.js';
import { recordedKinds } from './recorded-kinds.js';
import { type GoldenKind, goldenKinds } from './testdata.js';

/** Versions of which the table lacks kinds, because the pinned release does not serve them. */
const NOT_SERVED: Readonly<Record<string, string>> = {
  '/v1': 'PodStatusResult is gone',
  'admission.k8s.io/v1beta1': 'webhooks speak v1',
  'apidiscovery.k8s.io/v2': 'written by the server alone',
  'apidiscovery.k8s.io/v2beta1': 'written by the server alone',
  'apps/v1beta1': 'gone since 1.16',
  'apps/v1beta2': 'gone since 1.16',
  'authentication.k8s.io/v1beta1': 'gone since 1.22',
  'authorization.k8s.io/v1beta1': 'gone since 1.22',
  'autoscaling/v2beta1': 'gone since 1.25',
  'autoscaling/v2beta2': 'gone since 1.26',
  'batch/v1beta1': 'gone since 1.25',
  'certificates.k8s.io/v1alpha1': 'gone since 1.37',
  'discovery.k8s.io/v1beta1': 'gone since 1.25',
  'events.k8s.io/v1beta1': 'gone since 1.25',
  'extensions/v1beta1': 'gone since 1.22',
  'flowcontrol.apiserver.k8s.io/v1beta1': 'gone since 1.26',
  'flowcontrol.apiserver.k8s.io/v1beta2': 'gone since 1.29',
  'flowcontrol.apiserver.k8s.io/v1beta3': 'gone since 1.32',
  'imagepolicy.k8s.io/v1alpha1': 'spoken to image webhooks alone',
  'networking.k8s.io/v1alpha1': 'gone since 1.34',
  'networking.k8s.io/v1beta1': 'gone since 1.37',
  'node.k8s.io/v1alpha1': 'gone since 1.24',
  'node.k8s.io/v1beta1': 'gone since 1.25',
  'policy/v1beta1': 'gone since 1.25',
  'rbac.authorization.k8s.io/v1alpha1': 'gone since 1.22',
  'rbac.authorization.k8s.io/v1beta1': 'gone since 1.22',
  'resource.k8s.io/v1alpha3': 'it has taint rules alone',
  'scheduling.k8s.io/v1alpha1': 'gone since 1.22',
  'scheduling.k8s.io/v1beta1': 'gone since 1.22',
  'storage.k8s.io/v1alpha1': 'gone since 1.35',
  'storage.k8s.io/v1beta1': 'gone since 1.37',
  'storagemigration.k8s.io/v1alpha1': 'never served by default',
};

const types = new GoTypes();

function structOf(kind: GoldenKind): NonNullable<ReturnType<GoTypes['typeOf']>> {
  const struct = types.typeOf(kind);
  if (struct === undefined) throw new Error(`${kind.name} has no type`);
  return struct;
}

/** Go's own text, without the indentation of the file. */
const compact = (json: string): string => JSON.stringify(JSON.parse(json));

describe('what Go wrote of every field of every kind', () => {
  const kinds = recordedKinds();

  test('every kind that is served is there', () => {
    const names = new Set(kinds.map(({ group, version, kind }) => `${group}/${version}/${kind}`));
    const served = builtinCatalog().resources.flatMap(({ group, kind, versions }) =>
      versions.map(({ version }) => `${group}/${version}/${kind}`),
    );
    expect(served.filter((name) => !names.has(name))).toEqual([]);
    expect(kinds.length).toBeGreaterThan(100);
  });

  test.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (_name, kind) => isReadAndWritten(kind));
});

const foreign = goldenKinds();
const known = (foreign ?? []).filter((kind) => types.typeOf(kind) !== undefined);

// Extra: what Kubernetes 1.32 itself keeps as golden data. Without it these are not declared, and nothing rests on them alone.
if (foreign !== undefined) {
  describe('golden data of Kubernetes 1.32 (extra)', () => {
    test('all kinds are known but those of versions that are not served', () => {
      const unknown = new Set(foreign.filter((kind) => !known.includes(kind)).map(({ group, version }) => `${group}/${version}`));
      expect([...unknown].sort()).toEqual(Object.keys(NOT_SERVED));
      expect(foreign).toHaveLength(171);
      expect(known).toHaveLength(96);
    });

    // Since 1.36 a CSINode has a status, which Go writes even if it is empty.
    const unchanged = known.filter(({ kind }) => kind !== 'CSINode');
    test.each(unchanged.map((kind) => [kind.name, kind] as const))('%s', (_name, kind) => isReadAndWritten(kind));
  });
}

function isReadAndWritten(kind: GoldenKind): void {
  const struct = structOf(kind);
  const decoded = types.decodeJson(struct, JSON.parse(kind.json));
  expect(decoded.unknown).toEqual([]);
  expect(JSON.stringify(decoded.value)).toBe(compact(kind.json));
  expect(JSON.stringify(types.decodeJson(struct, parse(kind.yaml)).value)).toBe(compact(kind.json));
  const { apiVersion: _apiVersion, kind: _kind, ...body } = types.decodeProtobuf(kind.protobuf, kind).value;
  const { apiVersion: _version, kind: _ofJson, ...expected } = JSON.parse(kind.json) as Record<string, unknown>;
  expect(JSON.stringify(body)).toBe(JSON.stringify(expected));
  // Nothing in it is empty: storage takes nothing away.
  expect(JSON.stringify(types.storedForm(struct, decoded.value))).toBe(compact(kind.json));
}
