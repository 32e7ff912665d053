import { parse } from 'yaml';
import { GoTypes } from '../../../../src/api-server/values/go-types/index.js';
import { type GoldenKind, goldenKinds } from './testdata.js';

/** Versions that a server of 1.34 does not serve any more, or whose kinds never were resources of it: the table has no types for them. */
const NOT_SERVED: Readonly<Record<string, string>> = {
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
  'certificates.k8s.io/v1alpha1': 'not in the discovery document of 1.34',
  'certificates.k8s.io/v1beta1': 'not in the discovery document of 1.34',
  'discovery.k8s.io/v1beta1': 'gone since 1.25',
  'events.k8s.io/v1beta1': 'gone since 1.25',
  'extensions/v1beta1': 'gone since 1.22',
  'flowcontrol.apiserver.k8s.io/v1beta1': 'gone since 1.26',
  'flowcontrol.apiserver.k8s.io/v1beta2': 'gone since 1.29',
  'flowcontrol.apiserver.k8s.io/v1beta3': 'gone since 1.32',
  'imagepolicy.k8s.io/v1alpha1': 'spoken to image webhooks alone',
  'networking.k8s.io/v1alpha1': 'gone since 1.34',
  'node.k8s.io/v1alpha1': 'gone since 1.24',
  'node.k8s.io/v1beta1': 'gone since 1.25',
  'policy/v1beta1': 'gone since 1.25',
  'rbac.authorization.k8s.io/v1alpha1': 'gone since 1.22',
  'rbac.authorization.k8s.io/v1beta1': 'gone since 1.22',
  'resource.k8s.io/v1alpha3': 'since 1.34 it has taint rules alone',
  'scheduling.k8s.io/v1alpha1': 'gone since 1.22',
  'scheduling.k8s.io/v1beta1': 'gone since 1.22',
  'storagemigration.k8s.io/v1alpha1': 'not in the discovery document of 1.34',
};

const types = new GoTypes();
const kinds = goldenKinds();
const known = (kinds ?? []).filter((kind) => types.typeOf(kind) !== undefined);
const suite = kinds === undefined ? describe.skip : describe;

function structOf(kind: GoldenKind): NonNullable<ReturnType<GoTypes['typeOf']>> {
  const struct = types.typeOf(kind);
  if (struct === undefined) throw new Error(`${kind.name} has no type`);
  return struct;
}

/** Go's own text, without the indentation of the file. */
const compact = (json: string): string => JSON.stringify(JSON.parse(json));

suite(`what Go wrote of every field of every kind${kinds === undefined ? ' [skipped: ../shared/data is absent]' : ''}`, () => {
  test('all kinds are known but those of versions that are not served', () => {
    const unknown = new Set((kinds ?? []).filter((kind) => !known.includes(kind)).map(({ group, version }) => `${group}/${version}`));
    expect([...unknown].sort()).toEqual(Object.keys(NOT_SERVED));
    expect(kinds).toHaveLength(171);
    expect(known).toHaveLength(109);
  });

  test.each(known.map((kind) => [kind.name, kind] as const))('%s', (_name, kind) => {
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
  });
});
