import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
/** jest resolves no `.js` to `.ts` in its setup files; tsx does. */
import { tsImport } from 'tsx/esm/api';

/**
 * Packs the package and installs it as a stranger would: from the tarball, with its peers, in an empty project outside this tree (inside it, Node would
 * find what the package forgot to list). The tests find the place in KEELSON_PACKAGING.
 */
export default async function setUp() {
  const { packPackage, testedVersions } = await tsImport('./packed-package.ts', import.meta.url);
  const place = mkdtempSync(join(tmpdir(), 'keelson-packaging-'));
  process.env.KEELSON_PACKAGING = place;
  const tarball = packPackage(place);
  installConsumer(join(place, 'consumer'), tarball, testedVersions());
  writeFileSync(join(place, 'tarball'), tarball);
}

function installConsumer(folder, tarball, versions) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true }\n');
  const beside = ['zod', 'cdk8s', 'constructs', '@types/node'].map((name) => `${name}@${versions[name]}`);
  const parameters = ['install', '--prefer-offline', '--no-fund', '--no-audit', '--ignore-scripts', tarball, ...beside];
  execFileSync('npm', ['--silent', ...parameters], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}
