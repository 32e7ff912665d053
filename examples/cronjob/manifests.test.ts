import { Testing, Yaml } from 'cdk8s';
import { operatorChart, samplesChart } from './charts.js';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Pods make up nearly all of the CRD, twice; the schema of the built-in type is not this example's. */
const withoutPods = (key: string, value: unknown): unknown =>
  key === 'jobTemplate' && typeof value === 'object' && value !== null && 'properties' in value
    ? { ...value, properties: Object.keys(value.properties as object) }
    : value;

const manifests = (Testing.synth(operatorChart(Testing.app())) as Manifest[]).map(
  (manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const,
);

test.each(manifests)('%s is as it was', (_, manifest) => {
  expect(Yaml.stringify(JSON.parse(JSON.stringify(manifest, withoutPods)))).toMatchSnapshot();
});

test('the sample is as it was', () => {
  expect(Yaml.stringify(...Testing.synth(samplesChart(Testing.app())))).toMatchSnapshot();
});

test('kubectl apply can keep the CRD in its annotation, which holds 256 KiB', () => {
  const crd = manifests.find(([title]) => title.startsWith('CustomResourceDefinition'))?.[1];
  expect(JSON.stringify(crd).length).toBeLessThan(256 * 1024);
});
