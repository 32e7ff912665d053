import { Testing, Yaml } from 'cdk8s';
import { operatorChart, samplesChart } from './charts.js';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const manifests = (Testing.synth(operatorChart(Testing.app())) as Manifest[]).map(
  (manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const,
);
const isCrd = (title: string): boolean => title.startsWith('CustomResourceDefinition');

test.each(manifests.filter(([title]) => !isCrd(title)))('%s is as it was', (_, manifest) => {
  expect(Yaml.stringify(JSON.parse(JSON.stringify(manifest)))).toMatchSnapshot();
});

test('the samples are as they were', () => {
  expect(Yaml.stringify(...Testing.synth(samplesChart(Testing.app())))).toMatchSnapshot();
});

test.each(manifests.filter(([title]) => isCrd(title)))('%s fits into the annotation of kubectl apply, which holds 256 KiB', (_, crd) => {
  expect(JSON.stringify(crd).length).toBeLessThan(256 * 1024);
});
