import { createHash } from 'node:crypto';
import { defineController, defineCustomResource, defineOperator } from 'keelson';
import { defineOperatorPackage, helmChart } from 'keelson/packaging';
import { z } from 'zod';
import { releaseWarning } from '../../../../src/keelson/packaging/helm/release-size.js';
import type { PackageFile } from '../../../../src/keelson/packaging/index.js';

/** Descriptions that hardly compress, of about so many KiB. */
function largeSpec(seed: string, kib: number): z.ZodObject {
  const text = (field: number): string =>
    Array.from({ length: 24 }, (_, word) => createHash('sha256').update(`${seed} ${field} ${word}`).digest('base64')).join(' ');
  return z.object(
    Object.fromEntries(Array.from({ length: kib }, (_, field) => [`field${field}`, z.string().optional().describe(text(field))])),
  );
}

function operatorOf(kinds: readonly string[], kib: number): ReturnType<typeof defineOperator> {
  const controllers = kinds.map((kind) => {
    const definition = defineCustomResource({ group: 'lab.example.org', kind, versions: { v1: { spec: largeSpec(kind, kib) } } });
    return defineController({ name: kind.toLowerCase(), for: definition, reconcile: ({ done }) => done() });
  });
  return defineOperator({ name: 'birds', controllers });
}

function warningsOf(write: () => void): readonly string[] {
  const warnings: string[] = [];
  const spy = jest.spyOn(process, 'emitWarning').mockImplementation((warning: string | Error) => {
    warnings.push(String(warning));
  });
  write();
  spy.mockRestore();
  return warnings;
}

const base = { image: 'registry.example.com/birds:1.0.0', version: '1.0.0' } as const;

test('a chart is written with each warning once, though it is synthesized hundreds of times', () => {
  const chart = defineOperatorPackage({ ...base, operator: operatorOf(['Finch', 'Snipe'], 330) });
  const warnings = warningsOf(() => helmChart(chart));
  expect(warnings.filter((warning) => warning.includes('finches.lab.example.org] the CRD takes'))).toHaveLength(1);
  expect(warnings.filter((warning) => warning.includes('snipes.lab.example.org] the CRD takes'))).toHaveLength(1);
  expect(warnings.some((warning) => warning.startsWith('a release of the chart birds takes'))).toBe(true);
  expect(warnings).toHaveLength(3);
});

const head = [
  { path: 'Chart.yaml', text: 'name: birds\n' },
  { path: 'values.yaml', text: 'a: 1\n' },
];
const noise = (seed: string, kib: number): string =>
  Array.from({ length: kib * 16 }, (_, word) => createHash('sha512').update(`${seed} ${word}`).digest('base64').slice(0, 64)).join('');
const definition = (name: string, kib: number): PackageFile => ({
  path: `templates/${name}.yaml`,
  text: `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\ndescription: ${noise(name, kib)}\n`,
});
const deployment = { path: 'templates/deployment.yaml', text: 'kind: Deployment\n' };

test('a chart whose release fits into a Secret has no warning of it', () => {
  expect(releaseWarning('birds', [...head, definition('a', 400), deployment])).toBeUndefined();
});

test.each([
  [
    [definition('a', 300), definition('b', 300), deployment],
    "; leave the descriptions out of the CustomResourceDefinitions with descriptions: 'drop', or write the CustomResourceDefinitions into a chart of their own with crds: 'chart'",
  ],
  [
    [definition('a', 300), definition('b', 300)],
    "; leave the descriptions out of the CustomResourceDefinitions with descriptions: 'drop', or leave the chart out, and apply its CustomResourceDefinitions with kubectl apply --server-side",
  ],
  [[deployment, { path: 'files/large', text: noise('c', 1_500) }], '; split the package'],
])('a chart whose release does not fit into a Secret is told with its size and the ways out', (files, waysOut) => {
  const warning = releaseWarning('birds', [...head, ...files]) ?? '';
  expect(warning).toMatch(
    /^a release of the chart birds takes 1\d\d\d KiB, and Helm keeps it in a Secret, which holds 1024 KiB: helm install would fail/,
  );
  expect(warning.endsWith(waysOut)).toBe(true);
});
