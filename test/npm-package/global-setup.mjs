import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
/** jest resolves no `.js` to `.ts` in its setup files; tsx does. */
import { tsImport } from 'tsx/esm/api';

/**
 * Packs the packages and installs them as a stranger would: from the tarballs, with their peers, in an empty project outside this tree (inside it, Node would
 * find what a package forgot to list). The tests find the place in KEELSON_PACKAGING.
 */
export default async function setUp() {
  const { packPackages, testedVersions } = await tsImport('../../scripts/build/pack.ts', import.meta.url);
  const place = mkdtempSync(join(tmpdir(), 'keelson-packaging-'));
  process.env.KEELSON_PACKAGING = place;
  const tarballs = packPackages(join(place, 'npm'));
  installConsumer(join(place, 'consumer'), Object.values(tarballs), testedVersions());
  writeFileSync(join(place, 'tarballs.json'), JSON.stringify(tarballs));
}

function installConsumer(folder, tarballs, versions) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true }\n');
  const beside = ['zod', 'cdk8s', 'constructs', '@types/node'].map((name) => `${name}@${versions[name]}`);
  const parameters = ['install', '--prefer-offline', '--no-fund', '--no-audit', '--ignore-scripts', ...tarballs, ...beside];
  execFileSync('npm', ['--silent', ...parameters], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}
