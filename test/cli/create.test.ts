import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checked, compiled, emptyWork, keelson } from './scaffolded.js';

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
  ['', 'keelson create: not said what is created; choose kind, controller, webhook'],
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
  ['controller backup', 'keelson create controller backup: --for is not given; name a kind of the project'],
  ['webhook Memcached --webhooks', 'keelson create webhook: --webhooks: not an option of webhook'],
])('create %s is wrong use', async (args, message) => {
  const before = sources();
  const { status, out, error } = await create(args);
  expect([status, out]).toEqual([2, '']);
  expect(error).toContain(message);
  expect(sources()).toEqual(before);
});

test.each(['controller backup --for Gadget', 'webhook Gadget'])('create %s names the kinds that there are', async (args) => {
  const { status, error } = await create(args);
  expect([status, error]).toEqual([
    1,
    'Gadget: no file in src exports a custom resource of this name (there is Memcached); make it with keelson create kind\n',
  ]);
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
  for (const args of ['kind HTTPRoute --webhooks', 'controller back-up --for HTTPRoute', 'webhook Memcached'])
    expect(await create(args, join(work, 'all'))).toMatchObject({ status: 0, error: '' });
  expect(compiled(work)).toBe('');
  expect(checked(work, ['all'])).toMatch(/^Checked \d\d files/);
}, 60_000);
