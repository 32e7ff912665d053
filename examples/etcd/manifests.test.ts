import { Testing, Yaml } from 'cdk8s';
import { operatorChart, samplesChart } from './charts.js';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const BUILT_IN = new Set(['affinity', 'tolerations', 'etcdEnv', 'persistentVolumeClaimSpec', 'securityContext']);

/** Built-in types make up nearly all of the CRD; their schemas are not this example's. */
const withoutBuiltIns = (key: string, value: unknown): unknown => (BUILT_IN.has(key) && typeof value === 'object' ? '…' : value);

const manifests = (Testing.synth(operatorChart(Testing.app())) as Manifest[]).map(
  (manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const,
);

test.each(manifests)('%s is as it was', (_, manifest) => {
  expect(Yaml.stringify(JSON.parse(JSON.stringify(manifest, withoutBuiltIns)))).toMatchSnapshot();
});

test('the sample is as it was', () => {
  expect(Yaml.stringify(...Testing.synth(samplesChart(Testing.app())))).toMatchSnapshot();
});

test('kubectl apply can keep the CRD in its annotation, which holds 256 KiB', () => {
  const crd = manifests.find(([title]) => title.startsWith('CustomResourceDefinition'))?.[1];
  expect(JSON.stringify(crd).length).toBeLessThan(256 * 1024);
});
