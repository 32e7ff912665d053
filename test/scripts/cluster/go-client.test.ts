import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goClient } from '../../../scripts/cluster/go-client.js';

let folder: string;
let source: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keelson-go-client-'));
  source = join(folder, 'source');
  mkdirSync(source);
  writeFileSync(join(source, 'main.go'), 'package main');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cache = (): string => join(folder, 'cache');
const environment = (path: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  KEELSON_CACHE_DIR: cache(),
  PATH: path,
  ...more,
});

/** A `go` that writes the file after `-o` when it builds, or fails at a subcommand. */
function fakeGo(failsAt = ''): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const script = `#!/bin/sh\nif [ "$1" = "${failsAt}" ]; then echo "no luck" >&2; exit 1; fi\nif [ "$1" = build ]; then echo "$GOFLAGS" > "$3"; fi\n`;
  writeFileSync(join(bin, 'go'), script);
  chmodSync(join(bin, 'go'), 0o755);
  return `${bin}:/usr/bin:/bin`;
}

test('a program is built once for equal sources, outside of them', () => {
  const built = goClient(source, environment(fakeGo()));
  expect(built).toEqual({ found: true, path: expect.stringContaining(cache()) });
  expect(goClient(source, environment('/nowhere'))).toEqual(built);
  expect(readdirSync(cache())).toHaveLength(1);
  writeFileSync(join(source, 'main.go'), 'package main // changed');
  expect(goClient(source, environment('/nowhere')).found).toBe(false);
});

test('without Go, or without its modules, there is none, and it says why; in CI that is an error', () => {
  expect(goClient(source, environment('/nowhere'))).toEqual({ found: false, reason: expect.stringContaining('go cannot be run') });
  expect(() => goClient(source, environment('/nowhere', { CI: 'true' }))).toThrow('go cannot be run');
  const offline = environment(fakeGo('mod'));
  expect(goClient(source, offline)).toEqual({ found: false, reason: expect.stringContaining('no luck') });
  expect(() => goClient(source, { ...offline, CI: 'true' })).toThrow('go mod download ended with code 1');
});

test('a program that does not compile is an error everywhere, and leaves nothing behind', () => {
  expect(() => goClient(source, environment(fakeGo('build')))).toThrow('no luck');
  expect(readdirSync(cache())).toEqual([]);
});
