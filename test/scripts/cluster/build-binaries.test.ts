import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { cacheDirectory, ETCD_VERSION, findBinaries, KUBERNETES_VERSION, RELEASES, releaseOf } from '../../../scripts/cluster/binaries.js';

const ROOT = join(__dirname, '../../..');
const NAMES = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl'] as const;

let work: string;
let cache: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'keelson-build-'));
  cache = join(work, 'cache');
});
afterEach(() => rmSync(work, { recursive: true }));

function executable(path: string, lines: readonly string[]): void {
  writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(path, 0o755);
}

/** A folder whose `go` is this script; nothing else is on the PATH. */
function goThat(...lines: readonly string[]): string {
  const folder = join(work, 'bin');
  mkdirSync(folder);
  executable(join(folder, 'go'), lines);
  return folder;
}

/** Runs the script as `npm run test:cluster` does, with a cache of its own. */
function build(environment: Readonly<Record<string, string>>, ...flags: readonly string[]): { status: number | null; stderr: string } {
  const command = ['--import', 'tsx', 'scripts/cluster/build-binaries.ts', ...flags];
  const env = { PATH: join(work, 'nowhere'), HOME: work, KEELSON_CACHE_DIR: cache, ...environment };
  const { status, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8', env });
  return { status, stderr };
}

/** What a failed build leaves in the cache. */
const leftBehind = (): string[] => (existsSync(cache) ? readdirSync(cache) : []);

const SKIPS = 'The suites that need a real API server will be skipped.\n';
const FIRST_LINE = 'building etcd, kube-apiserver, kube-controller-manager and kubectl: about ten minutes on two cores, once\n';
const NO_GO = 'Go is not installed (no "go" on the PATH); see https://go.dev/dl\n';

describe('without Go', () => {
  test('the build says so and where to get it', () => {
    expect(build({})).toEqual({ status: 10, stderr: FIRST_LINE + NO_GO });
    expect(leftBehind()).toEqual([]);
  });

  test('npm run test:cluster goes on and skips; in CI it does not', () => {
    expect(build({}, '--if-possible')).toEqual({ status: 0, stderr: FIRST_LINE + NO_GO + SKIPS });
    expect(build({ CI: 'true' }, '--if-possible')).toEqual({ status: 10, stderr: FIRST_LINE + NO_GO });
  });
});

describe('with a Go that is of no use', () => {
  test.each(['go1.25.9', 'go1.9', 'go0.99'])('%s is too old', (version) => {
    const { status, stderr } = build({ PATH: goThat(`echo ${version}`) });
    expect([status, stderr]).toEqual([11, `${FIRST_LINE}Go 1.26 or newer is needed, found ${version}\n`]);
    expect(leftBehind()).toEqual([]);
  });

  test.each(['go1.26', 'go1.26.1', 'go1.30.0', 'go2.0'])(
    '%s is new enough; modules that cannot be fetched are told with the words of go',
    (version) => {
      const go = goThat(
        `if [ "$1" = env ]; then echo ${version}; exit 0; fi`,
        'echo "dial tcp: lookup proxy.example.com: no such host" >&2',
        'exit 1',
      );
      const { status, stderr } = build({ PATH: go });
      expect(status).toBe(12);
      expect(stderr).toContain(`using ${version}\n`);
      expect(stderr).toContain(
        `go mod download -json k8s.io/kubernetes@${KUBERNETES_VERSION} ended with code 1:\ndial tcp: lookup proxy.example.com: no such host\n`,
      );
      expect(build({ PATH: go }, '--if-possible')).toMatchObject({ status: 0, stderr: expect.stringContaining(SKIPS) });
      expect(leftBehind()).toEqual([]);
    },
  );

  test('a compiler that fails is a failure, even where a build was only wished for', () => {
    const source = join(work, 'source');
    mkdirSync(source);
    writeFileSync(join(source, 'go.mod'), 'module k8s.io/kubernetes\n');
    const script = [
      'case "$1 $2" in',
      '  "env GOVERSION") echo go1.26.1 ;;',
      `  "mod download") echo '{"Dir": "${source}"}' ;;`,
      '  "mod tidy") ;;',
      '  *) echo "internal compiler error" >&2; exit 2 ;;',
      'esac',
    ];
    const { status, stderr } = build({ PATH: goThat(...script) }, '--if-possible');
    expect([status, stderr]).toEqual([
      13,
      expect.stringMatching(/k8s\.io\/kubernetes\/cmd\/kube-apiserver ended with code 2:\ninternal compiler error\n$/),
    ]);
    expect(leftBehind()).toEqual([]);
  });
});

describe('with a Go that builds', () => {
  /** Its programs tell these versions, in the words of the real ones. */
  const goThatBuilds = (kubernetes: string): string => {
    const source = join(work, 'source');
    mkdirSync(source);
    writeFileSync(join(source, 'go.mod'), 'module any\n');
    const folder = goThat(
      'case "$1 $2" in',
      '  "env GOVERSION") echo go1.26.1 ;;',
      `  "mod download") echo '{"Dir": "${source}"}' ;;`,
      '  "mod tidy") ;;',
      // go build -ldflags <flags> -o <output> <package>
      `  *) case "\${5##*/}" in
        etcd) echo 'echo "etcd Version: ${ETCD_VERSION.slice(1)}"' ;;
        kubectl) echo "echo '{\\"clientVersion\\": {\\"gitVersion\\": \\"${kubernetes}\\"}}'" ;;
        *) echo "echo Kubernetes ${kubernetes}" ;;
      esac > "$5"; chmod +x "$5" ;;`,
      'esac',
    );
    return `${folder}:/usr/bin:/bin`;
  };

  test('the binaries appear in the cache, and nothing beside them', () => {
    const { status, stderr } = build({ PATH: goThatBuilds(KUBERNETES_VERSION) });
    expect([status, stderr]).toEqual([0, expect.stringMatching(/\nbuilt in \d+ s: .*\n$/)]);
    const folder = cacheDirectory({ KEELSON_CACHE_DIR: cache });
    expect([leftBehind(), readdirSync(folder).sort()]).toEqual([[basename(folder)], [...NAMES].sort()]);
  });

  test('a binary that tells another version is a failure, and is not kept', () => {
    const { status, stderr } = build({ PATH: goThatBuilds('v1.33.0') }, '--if-possible');
    expect([status, stderr]).toEqual([14, expect.stringMatching(new RegExp(`says it is v1\\.33\\.0, expected ${KUBERNETES_VERSION}\n$`))]);
    expect(leftBehind()).toEqual([]);
  });
});

describe('KUBEBUILDER_ASSETS', () => {
  const assets = (...names: readonly string[]): string => {
    const folder = join(work, 'assets');
    mkdirSync(folder);
    for (const name of names) executable(join(folder, name), ['exit 0']);
    return folder;
  };

  test('that lacks binaries is a failure that names them and the variable; nothing is built instead', () => {
    const folder = assets('etcd');
    const stderr = `no kube-apiserver, kubectl in ${folder} (named by KUBEBUILDER_ASSETS)\n`;
    expect(build({ KUBEBUILDER_ASSETS: folder })).toEqual({ status: 15, stderr });
    expect(build({ KUBEBUILDER_ASSETS: folder }, '--if-possible')).toEqual({ status: 15, stderr });
  });

  test('with a file that cannot be run lacks that binary', () => {
    const folder = assets('etcd', 'kube-apiserver', 'kubectl');
    chmodSync(join(folder, 'kubectl'), 0o644);
    expect(build({ KUBEBUILDER_ASSETS: folder }).stderr).toBe(`no kubectl in ${folder} (named by KUBEBUILDER_ASSETS)\n`);
  });

  test('of envtest, without a controller manager, will do', () => {
    const folder = assets('etcd', 'kube-apiserver', 'kubectl');
    expect(build({ KUBEBUILDER_ASSETS: folder })).toEqual({ status: 0, stderr: `binaries are there (KUBEBUILDER_ASSETS): ${folder}\n` });
  });

  test('that is empty counts as absent', () => {
    expect(build({ KUBEBUILDER_ASSETS: '' })).toEqual({ status: 10, stderr: FIRST_LINE + NO_GO });
  });
});

test('a cache that is whole is used without Go; one that lacks a binary is built anew', () => {
  const folder = cacheDirectory({ KEELSON_CACHE_DIR: cache });
  mkdirSync(folder, { recursive: true });
  for (const name of NAMES) executable(join(folder, name), ['exit 0']);
  expect(build({})).toEqual({ status: 0, stderr: `binaries are there (cache): ${folder}\n` });
  rmSync(join(folder, 'kubectl'));
  expect(build({})).toEqual({ status: 10, stderr: FIRST_LINE + NO_GO });
});

test('the cache lies outside the tree, one folder for each pair of versions and each platform', () => {
  const name = `kubernetes-${KUBERNETES_VERSION}-etcd-${ETCD_VERSION}-${process.platform}-${process.arch}`;
  expect(cacheDirectory({ KEELSON_CACHE_DIR: '/c', XDG_CACHE_HOME: '/x' })).toBe(`/c/${name}`);
  expect(cacheDirectory({ XDG_CACHE_HOME: '/x' })).toBe(`/x/keelson/${name}`);
  expect(cacheDirectory({}).startsWith(ROOT)).toBe(false);
});

test('an older release of the list has a folder of its own, and other minors are refused', () => {
  const [, older] = RELEASES;
  const environment = { KEELSON_CACHE_DIR: '/c', KEELSON_KUBERNETES: older?.minor };
  expect(releaseOf(environment)).toEqual(older);
  expect(cacheDirectory(environment)).toBe(`/c/kubernetes-${older?.kubernetes}-etcd-${older?.etcd}-${process.platform}-${process.arch}`);
  expect(findBinaries(environment)).toMatchObject({
    found: false,
    reason: expect.stringContaining(`build them with: KEELSON_KUBERNETES=${older?.minor} npx tsx`),
  });
  expect(() => releaseOf({ KEELSON_KUBERNETES: '1.9' })).toThrow(
    `KEELSON_KUBERNETES is "1.9": it names one of the minors ${RELEASES.map(({ minor }) => minor).join(', ')}`,
  );
});

test('four minors are supported, one after the other', () => {
  const minors = RELEASES.map(({ minor }) => Number(minor.replace('1.', '')));
  expect(minors).toEqual([0, 1, 2, 3].map((steps) => (minors[0] ?? 0) - steps));
});

const real = findBinaries();
(real.found ? test : test.skip)(
  `KUBEBUILDER_ASSETS may be a folder that this script has built${real.found ? '' : ` [skipped: ${real.reason}]`}`,
  () => {
    if (!real.found) return;
    const { directory } = real.binaries;
    expect(build({ KUBEBUILDER_ASSETS: directory })).toEqual({
      status: 0,
      stderr: `binaries are there (KUBEBUILDER_ASSETS): ${directory}\n`,
    });
    expect(findBinaries({ KUBEBUILDER_ASSETS: directory })).toMatchObject({
      found: true,
      binaries: { directory, source: 'KUBEBUILDER_ASSETS' },
    });
  },
);
