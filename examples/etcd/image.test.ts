import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Testing } from 'cdk8s';
import { backupOperatorChart } from './charts.js';
import { backupPackage } from './package.js';

interface Manifest {
  readonly kind: string;
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly { readonly command?: readonly string[] }[] } } };
}

/** `build/operator.mjs` for each script that the Dockerfile bundles. */
function builtFiles(): readonly string[] {
  const [, scripts = ''] = /npx rolldown ((?:\S+\.ts )+)/.exec(readFileSync(join(__dirname, 'Dockerfile'), 'utf8')) ?? [];
  return [...scripts.matchAll(/(\S+)\.ts /g)].map(([, name]) => `build/${name}.mjs`);
}

const commandsOf = (manifests: readonly unknown[]) =>
  (manifests as readonly Manifest[])
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap(({ spec }) => spec.template.spec.containers.map(({ command }) => command));

test.each([
  { from: 'the chart of cdk8s', manifests: () => Testing.synth(backupOperatorChart(Testing.app())) as readonly unknown[] },
  { from: 'the package', manifests: () => backupPackage.manifests() as readonly unknown[] },
])('the backup operator of $from starts a file that the image has', ({ manifests }) => {
  const file = 'build/backup-operator.mjs';
  expect(builtFiles()).toEqual(['build/operator.mjs', file]);
  expect(commandsOf(manifests())).toEqual([['node', file]]);
});
