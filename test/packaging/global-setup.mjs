import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Packs the package and installs it as a stranger would: from the tarball, with its peers, in an empty project outside this tree (inside it, Node would
 * find what the package forgot to list). The tests find the place in KEELSON_PACKAGING.
 */
export default function setUp() {
  if (isStale()) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  const place = mkdtempSync(join(tmpdir(), 'keelson-packaging-'));
  process.env.KEELSON_PACKAGING = place;
  const [{ filename }] = JSON.parse(npm(process.cwd(), 'pack', '--json', '--ignore-scripts', '--pack-destination', place));
  installConsumer(join(place, 'consumer'), join(place, filename));
  writeFileSync(join(place, 'tarball'), join(place, filename));
}

function installConsumer(folder, tarball) {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true }\n');
  const beside = ['zod', 'cdk8s', 'constructs', '@types/node'].map((name) => `${name}@${devDependencies[name]}`);
  npm(folder, 'install', '--prefer-offline', '--no-fund', '--no-audit', '--ignore-scripts', tarball, ...beside);
}

function npm(cwd, ...args) {
  return execFileSync('npm', ['--silent', ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Whether a source is newer than `lib/`, of which the last file written is this one. */
function isStale() {
  const built = modified('lib/types/package.json');
  const sources = ['src', 'imports', 'scripts/build'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  return ['package.json', 'tsconfig.build.json', ...sources].some((file) => modified(file) > built);
}

function modified(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
