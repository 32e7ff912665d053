/**
 * Installs and builds what the one-node cluster needs, unless it is there: Debian packages, kubelet, kube-scheduler, kube-proxy, CoreDNS and a builder of images. The control plane is built by build-binaries.ts.
 *
 *     npx tsx scripts/cluster/prepare-node.ts [--if-possible]
 *
 * It needs root, for the packages. Exit codes: as build-binaries.ts, and 16 where a one-node cluster is not possible or a package cannot be installed.
 * `--if-possible` turns 10 to 12 and 16 into 0, except where CI is set.
 */
import { BuildFailure } from './build-failure.js';
import { installationObstacle, installPackages, packageState } from './debian-packages.js';
import { provideTool } from './go-tool.js';
import { provideImageBuilder } from './image-builder.js';
import { systemImages } from './node/system-images.js';

const report = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

async function prepare(): Promise<void> {
  const obstacle = installationObstacle();
  if (obstacle !== undefined) throw new BuildFailure('nodeImpossible', obstacle);
  const packages = packageState();
  if (packages.installed) report('Debian packages are there');
  else installPackages(packages.missing, report);
  await provideImageBuilder(report);
  for (const name of ['kubelet', 'kube-scheduler', 'kube-proxy'] as const) await provideTool(name, report);
  report('compiling CoreDNS unless it is there: minutes, once');
  systemImages();
}

prepare().catch((error: unknown) => {
  if (!(error instanceof BuildFailure)) throw error;
  report(error.message);
  const isTolerated = process.argv.includes('--if-possible') && error.isEnvironmental && !process.env['CI'];
  if (isTolerated) report('The suites that need a node will be skipped.');
  process.exitCode = isTolerated ? 0 : error.exitCode;
});
