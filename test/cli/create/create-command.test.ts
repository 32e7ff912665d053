import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UNWATCHED_KINDS } from '../../../src/cli/create/foreign-kinds.js';
import { checked, compiled, emptyWork, keelson } from '../scaffolded.js';

interface Discovery {
  readonly groups: readonly {
    readonly versions: readonly { readonly resources: readonly { readonly kind: string; readonly verbs: readonly string[] }[] }[];
  }[];
}

let directory: string;
let project: string;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'keelson-create-'));
  project = join(directory, 'my-operator');
  expect(await keelson('init my-operator --group cache.example.com --kind Memcached', directory)).toMatchObject({ status: 0, error: '' });
});
afterEach(() => rmSync(directory, { recursive: true }));

const create = (args: string, where = project) => keelson(`create ${args}`.trim(), where);
const sources = (): string[] => readdirSync(join(project, 'src')).sort();

test('a kind takes the group of the others, and shows the lines to add', async () => {
  const { status, out, error } = await create('kind HTTPRoute --webhooks --version v1');
  expect([status, error]).toEqual([0, '']);
  expect(out).toBe(`src/http-route.ts
src/http-route.test.ts

Add to src/operator.ts:
  import { httpRouteChecks, httpRouteController, httpRouteDefaults } from './http-route.js';
  controllers: [..., httpRouteController],
  webhooks: [..., httpRouteDefaults, httpRouteChecks],
`);
  expect(readFileSync(join(project, 'src/http-route.ts'), 'utf8')).toContain("group: 'cache.example.com'");
  expect(readFileSync(join(project, 'src/http-route.test.ts'), 'utf8')).toContain("from 'vitest'");
});

test('nothing that is there is changed', async () => {
  const before = sources();
  const text = readFileSync(join(project, 'src/memcached.ts'), 'utf8');
  const { status, error } = await create('kind Memcached');
  expect([status, error]).toEqual([
    1,
    'src/memcached.ts, src/memcached.test.ts: exists already, and is not overwritten; nothing was written. Move it away, or choose another name\n',
  ]);
  expect(sources()).toEqual(before);
  expect(readFileSync(join(project, 'src/memcached.ts'), 'utf8')).toBe(text);
});

test.each([
  ['', 'keelson create: nothing to create is named; choose kind, controller, webhook'],
  ['frob', 'keelson create: frob: cannot be created; choose kind, controller, webhook'],
  ['toString', 'keelson create: toString: cannot be created'],
  ['kind', 'keelson create kind: KIND is not given; for example: keelson create kind Gadget'],
  ['kind A B', 'keelson create kind: one KIND is expected, got A B'],
  ['kind gadget', 'keelson create: kind gadget: is not a kind; write letters and digits in CamelCase'],
  ['kind Gadget --group example', '--group example: has no dot; write a domain that you own'],
  ['kind Gadget --version 1', '--version 1: is not a version of an API'],
  ['kind Gadget --for Memcached', 'keelson create kind: --for: not an option of kind'],
  ['controller', 'keelson create controller: NAME is not given; for example: keelson create controller backup --for Gadget'],
  ['controller Backup --for Memcached', 'keelson create controller Backup: must be lower case letters, digits and dashes'],
  ['controller backup', 'keelson create controller backup: --for is not given; name a kind of the project or a built-in one'],
  ['webhook Memcached --webhooks', 'keelson create webhook: --webhooks: not an option of webhook'],
])('create %s is wrong use', async (args, message) => {
  const before = sources();
  const { status, out, error } = await create(args);
  expect([status, out]).toEqual([2, '']);
  expect(error).toContain(message);
  expect(sources()).toEqual(before);
});

test('create webhook names the kinds that there are', async () => {
  const { status, error } = await create('webhook Gadget');
  expect([status, error]).toEqual([
    1,
    'Gadget: no file in src exports a custom resource of this name (there is Memcached); make it with keelson create kind\n',
  ]);
});

describe('a controller for a kind of others', () => {
  const importCertificates = (out: string) =>
    keelson(`import ${join(process.cwd(), 'scripts/crds/cert-manager.yaml')} --out ${out}`, project);
  const failure = async (kind: string): Promise<string> => {
    const { status, error } = await create(`controller backup --for ${kind}`);
    expect(status).toBe(1);
    return error;
  };

  test('a built-in kind is imported, and its status is left to its own controller', async () => {
    const { status, out, error } = await create('controller backup --for StatefulSet');
    expect([status, error]).toEqual([0, '']);
    expect(out).toBe(`src/backup-controller.ts
src/backup-controller.test.ts

Add to src/operator.ts:
  import { backupController } from './backup-controller.js';
  controllers: [..., backupController],
`);
    const text = readFileSync(join(project, 'src/backup-controller.ts'), 'utf8');
    expect(text).toContain("import { ConfigMap, StatefulSet } from 'keelson/kinds';");
    expect(text).toContain("ANNOTATION = 'cache.example.com/backup'");
    expect(text).not.toContain('writesStatus');
  });

  test('an imported kind is found by its name, with its group and its version; its CRD is asked for', async () => {
    await importCertificates('src/imports');
    for (const [index, kind] of ['Certificate', 'Certificate.cert-manager.io', 'Certificate.v1.cert-manager.io'].entries()) {
      const { status, out } = await create(`controller backup${index} --for ${kind}`);
      expect(status).toBe(0);
      expect(out).toContain(
        '\nTests and keelson dev start the operator on an API server that has no CRD of Certificate: give it to them,\n',
      );
      expect(readFileSync(join(project, `src/backup${index}-controller.ts`), 'utf8')).toContain(
        "import { Certificate } from './imports/cert-manager.io/v1.js';",
      );
    }
  });

  test('a kind that is imported outside of the sources is named with its place', async () => {
    await importCertificates('imports');
    expect(await failure('Certificate')).toBe(
      'Certificate: imports/cert-manager.io/v1.ts is outside of src, where neither the compiler nor the image of the project looks; write it there: keelson import --out src/imports\n',
    );
  });

  test('a name of several kinds is not guessed', async () => {
    expect(await failure('Event')).toBe('Event: several kinds have this name; write one of CoreV1Event, EventsV1Event\n');
    await importCertificates('src/imports');
    const file = join(project, 'src/imports/cert-manager.io/v1.ts');
    const other = join(project, 'src/imports/cert-manager.io/v2.ts');
    writeFileSync(other, readFileSync(file, 'utf8').replaceAll("version: 'v1'", "version: 'v2'"));
    expect(await failure('Issuer')).toBe(
      'Issuer: several kinds have this name; write one of Issuer.v1.cert-manager.io, Issuer.v2.cert-manager.io\n',
    );
    writeFileSync(other, readFileSync(file, 'utf8'));
    expect(await failure('Issuer')).toBe(
      'Issuer: src/imports/cert-manager.io/v1.ts and src/imports/cert-manager.io/v2.ts export the same kind; delete all but one\n',
    );
  });

  test('a kind that nobody has is told from those that there are', async () => {
    await importCertificates('src/imports');
    expect(await failure('Gadget')).toBe(
      'Gadget: neither the project nor keelson/kinds has this kind (in src are Memcached, Certificate, ClusterIssuer, Issuer). A kind of the project is made with keelson create kind; one of others is imported from its CRD: keelson import --out src/imports crd.yaml\n',
    );
  });

  test('kinds of which the API server keeps no objects are refused: exactly those that its discovery cannot watch', async () => {
    expect(await failure('TokenReview')).toBe(
      'TokenReview: the API server keeps no objects of this kind, so a controller has nothing to watch\n',
    );
    const { groups } = JSON.parse(readFileSync('imports/discovery.json', 'utf8')) as Discovery;
    const resources = groups.flatMap(({ versions }) => versions.flatMap((version) => version.resources));
    const unwatched = resources.flatMap(({ kind, verbs }) => (verbs.includes('watch') ? [] : [kind]));
    expect([...UNWATCHED_KINDS]).toEqual([...new Set(unwatched)].sort());
  });
});

test('a second pair of webhooks is refused: the API server would ask two of one name', async () => {
  expect((await create('webhook Memcached')).status).toBe(0);
  const { status, error } = await create('webhook Memcached');
  expect(status).toBe(1);
  expect(error).toMatch(/^Memcached: src\/memcached-webhooks\.ts has webhooks for it already/);
});

test('kinds of two groups have no default', async () => {
  await create('kind Gadget --group shop.example.com');
  const { status, error } = await create('kind Other');
  expect(status).toBe(2);
  expect(error).toContain(
    '--group: not given, and the kinds in src have shop.example.com, cache.example.com; give the group of the new kind',
  );
});

test.each([
  [undefined, 'package.json: cannot be read; run it in the folder of a project'],
  ['{', 'package.json: is not JSON: '],
  ['[]', 'package.json: names no keelson among its dependencies'],
  ['{ "dependencies": { "keelson": "1" } }', 'package.json: names neither vitest nor jest, so nothing would run the new tests'],
  ['{ "dependencies": { "keelson": "1" }, "devDependencies": { "jest": "30" } }', 'src: cannot be read: '],
])('a folder with package.json %j is not a project', async (manifest, message) => {
  const empty = mkdtempSync(join(directory, 'empty-'));
  if (manifest !== undefined) writeFileSync(join(empty, 'package.json'), manifest);
  const { status, error } = await create('kind Gadget', empty);
  expect(status).toBe(1);
  expect(error).toContain(message);
});

test('what is created compiles and is formatted', async () => {
  const work = emptyWork('create');
  await keelson('init all --group cache.example.com --kind Memcached --jest', work);
  const imported = `import ${join(process.cwd(), 'scripts/crds/cert-manager.yaml')} --out src/imports`;
  expect(await keelson(imported, join(work, 'all'))).toMatchObject({ status: 0 });
  for (const args of [
    'kind HTTPRoute --webhooks',
    'controller back-up --for HTTPRoute',
    'controller certified --for Certificate',
    'controller issuing --for ClusterIssuer',
    'controller config --for ConfigMap',
    'controller scaling --for Deployment',
    'controller events --for EventsV1Event',
    'controller places --for Namespace',
    'webhook Memcached',
  ])
    expect(await create(args, join(work, 'all'))).toMatchObject({ status: 0, error: '' });
  expect(compiled(work)).toBe('');
  // Generated, in a form of its own.
  rmSync(join(work, 'all/src/imports'), { recursive: true });
  expect(checked(work, ['all'])).toMatch(/^Checked \d\d files/);
});
