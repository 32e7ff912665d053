/**
 * Installs the Debian packages that suites drive, unless they are there: chromium for the page of `keelson dev`, fish and zsh for completion.
 *
 *     npx tsx scripts/cluster/prepare-packages.ts [--if-possible]
 *
 * It needs root. Exit codes: 17 where packages cannot be installed here, 16 where apt fails. `--if-possible` turns both into 0, except where CI is set.
 */
import { BuildFailure } from './build-failure.js';
import { DRIVEN_PACKAGES, installationObstacle, installPackages, packageState } from './debian-packages.js';

const report = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

function prepare(): void {
  const packages = packageState(DRIVEN_PACKAGES);
  if (packages.installed) {
    report(`${DRIVEN_PACKAGES.join(', ')}: installed`);
    return;
  }
  const obstacle = installationObstacle(`an installation of ${packages.missing.join(', ')}`);
  if (obstacle !== undefined) throw new BuildFailure('packagesImpossible', obstacle);
  installPackages(packages.missing, report);
}

try {
  prepare();
} catch (error) {
  if (!(error instanceof BuildFailure)) throw error;
  report(error.message);
  const isTolerated = process.argv.includes('--if-possible') && error.isEnvironmental && !process.env['CI'];
  if (isTolerated) report('The suites that need a browser, fish or zsh will be skipped.');
  process.exitCode = isTolerated ? 0 : error.exitCode;
}
