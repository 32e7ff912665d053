import { defineCustomResource, defineOperator } from 'keelson';
import { defineOperatorPackage, helmChart } from 'keelson/packaging';
import { z } from 'zod';
import { fileOf, filesOf } from '../chart-files.js';

const Note = defineCustomResource({ group: 'notes.example.com', kind: 'Note', versions: { v1: { spec: z.object({}) } } });
/** Its two versions have other names for one field. */
const Job = defineCustomResource({
  group: 'notes.example.com',
  kind: 'Job',
  versions: { v2: { spec: z.object({ every: z.string() }), storage: true }, v1: { spec: z.object({ schedule: z.string() }) } },
  convert: {
    v1: {
      toStorage: ({ spec }) => ({ spec: { every: spec.schedule } }),
      fromStorage: ({ spec }) => ({ spec: { schedule: spec.every } }),
    },
  },
});
const jobs = defineOperator({ name: 'job-operator', customResources: [Job] });
const operator = defineOperator({ name: 'note-operator', customResources: [Note] });
const base = { operator, image: 'registry.example.com/notes:1.0.0', version: '1.0.0', namespace: 'notes' } as const;
const apart = defineOperatorPackage({ ...base, crds: 'chart', kubeVersion: '>=1.30.0-0' });

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Record<string, string> };
  readonly spec: { readonly conversion?: object };
}

const crdsIn = (objects: readonly object[]): readonly Manifest[] =>
  (objects as Manifest[]).filter(({ kind }) => kind === 'CustomResourceDefinition');

test('the CustomResourceDefinitions are a package of their own, and no longer of the operator', () => {
  const whole = defineOperatorPackage(base);
  expect(whole.crds).toBeUndefined();
  expect(crdsIn(apart.manifests())).toEqual([]);
  expect(crdsIn(apart.crds?.manifests() ?? [])).toEqual(crdsIn(whole.manifests()));
  expect(apart.crds?.manifests()).toHaveLength(1);
  expect(JSON.parse(fileOf(apart, 'values.schema.json')).properties).not.toHaveProperty('crds');
});

test('their chart keeps them on uninstall, and takes annotations for the order of a GitOps tool', () => {
  const crds = apart.crds as NonNullable<typeof apart.crds>;
  expect(filesOf(crds).map(({ path }) => path)).toContain('templates/notes.notes.example.com.yaml');
  expect(fileOf(crds, 'Chart.yaml')).toContain('name: note-operator-crds\nversion: 1.0.0\n');
  expect(fileOf(crds, 'Chart.yaml')).toContain('kubeVersion: ">=1.30.0-0"');
  expect(fileOf(crds, 'templates/notes.notes.example.com.yaml')).toContain('{{- if .Values.keep }}\n    helm.sh/resource-policy: keep');
  expect(fileOf(crds, 'templates/notes.notes.example.com.yaml')).toContain('{{- toYaml .Values.annotations | nindent 4 }}');
  expect(fileOf(crds, 'values.yaml')).toBe(
    '# Keeps the CustomResourceDefinitions, and with them all objects, when the release is uninstalled.\nkeep: true\n\n' +
      '# More annotations of the CustomResourceDefinitions, for example for the order of a GitOps tool.\nannotations: {}\n',
  );
});

test('with conversions it names the operator that converts, and trusts its certificate', () => {
  const { crds } = defineOperatorPackage({ ...base, operator: jobs, namespace: 'cron', crds: 'chart' });
  const [crd] = crdsIn(
    crds?.manifests({ operator: { name: 'other', namespace: 'elsewhere' }, certificates: { mode: 'certManager' } }) ?? [],
  );
  expect(crd?.spec.conversion).toMatchObject({
    strategy: 'Webhook',
    webhook: { clientConfig: { service: { name: 'other-webhook', namespace: 'elsewhere' } } },
  });
  expect(crd?.metadata.annotations).toMatchObject({ 'cert-manager.io/inject-ca-from': 'elsewhere/other-certificate' });
  const [plain] = crdsIn(crds?.manifests() ?? []);
  expect(plain?.spec.conversion).toMatchObject({
    webhook: { clientConfig: { service: { name: 'job-operator-webhook', namespace: 'cron' } } },
  });
  const [file] = helmChart(crds as NonNullable<typeof crds>).filter(({ path }) => path.endsWith('jobs.notes.example.com.yaml'));
  expect(file?.text).toContain('namespace: {{ .Values.operator.namespace | quote }}');
});

test('an operator that is apart from its CustomResourceDefinitions still brings objects to the storage version', () => {
  const environment = (source: { manifests(): readonly object[] }): string => JSON.stringify(source.manifests());
  const options = { ...base, operator: jobs, namespace: 'cron' } as const;
  expect(environment(defineOperatorPackage(options))).toContain('KEELSON_STORED_VERSIONS');
  expect(environment(defineOperatorPackage({ ...options, crds: 'chart' }))).toContain('KEELSON_STORED_VERSIONS');
});
