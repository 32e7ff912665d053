import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { javaClient } from '../../../scripts/cluster/java-client.js';

let folder: string;
let source: string;
let bin: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keelson-java-client-'));
  [source, bin] = [join(folder, 'source'), join(folder, 'bin')];
  for (const path of [source, bin]) mkdirSync(path);
  writeFileSync(join(source, 'Main.java'), 'class Main {}');
  writeFileSync(join(source, 'pom.xml'), '<project/>');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Notes each call, and fails if the parameters hold a word. */
function program(name: string, failsAt = 'never'): void {
  const script = `#!/bin/sh\necho "${name} $*" >> ${folder}/calls\ncase "$*" in *${failsAt}*) echo "no luck"; exit 1;; esac\n`;
  writeFileSync(join(bin, name), script);
  chmodSync(join(bin, name), 0o755);
}

const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  KEELSON_CACHE_DIR: join(folder, 'cache'),
  PATH: bin,
  ...more,
});
const calls = (): readonly string[] => readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n');

test('libraries are fetched and the files compiled once, outside of the sources', () => {
  program('javac');
  program('mvn');
  const built = javaClient(source, environment());
  if (!built.found) throw new Error(built.reason);
  const [classes = '', libraries = ''] = built.classPath.split(':');
  expect([classes, libraries]).toEqual([
    expect.stringMatching(/\/cache\/java-client-\w{16}-.*\/classes$/),
    expect.stringMatching(/\/libraries\/\*$/),
  ]);
  expect(calls().map((call) => call.split(' ')[0])).toEqual(['javac', 'mvn', 'javac']);
  expect(calls()[1]).toContain('--strict-checksums');
  expect(calls()[2]).toContain(`${source}/Main.java`);
  expect(javaClient(source, environment())).toEqual(built);
  expect(calls()).toHaveLength(3);
  expect(readdirSync(source).sort()).toEqual(['Main.java', 'pom.xml']);
  writeFileSync(join(source, 'Main.java'), 'class Main { int other; }');
  expect(javaClient(source, environment())).not.toEqual(built);
});

test('without a compiler or without Maven there is none, and it says why; in CI that is an error', () => {
  expect(javaClient(source, environment())).toEqual({ found: false, reason: expect.stringContaining('javac cannot be run') });
  program('javac');
  expect(javaClient(source, environment())).toEqual({ found: false, reason: expect.stringContaining('install a JDK 17 and Maven') });
  expect(() => javaClient(source, environment({ CI: 'true' }))).toThrow('mvn cannot be run');
  program('mvn', 'copy-dependencies');
  expect(javaClient(source, environment())).toEqual({ found: false, reason: expect.stringContaining('no luck') });
});

test('a file that does not compile is an error everywhere, and leaves nothing behind', () => {
  program('javac', 'Main.java');
  program('mvn');
  expect(() => javaClient(source, environment())).toThrow(/javac .* ended with code 1:\nno luck/);
  expect(existsSync(join(folder, 'cache')) && readdirSync(join(folder, 'cache'))).toEqual([]);
});
