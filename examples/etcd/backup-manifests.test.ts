import { Testing, Yaml } from 'cdk8s';
import { backupOperatorChart } from './charts.js';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const manifests = (Testing.synth(backupOperatorChart(Testing.app())) as Manifest[]).map(
  (manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const,
);

test.each(manifests)('%s is as it was', (_, manifest) => {
  expect(Yaml.stringify(manifest)).toMatchSnapshot();
});
