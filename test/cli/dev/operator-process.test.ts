import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, loadConnection, mergePatch } from '@keelson/runtime';
import { Deployment, Pod } from 'keelson/kinds';
import { ClusterRole } from 'keelson/kinds/rbac/v1';
import { Memcached } from '../../../examples/memcached/memcached.js';
import { eventually } from '../../eventually.js';
import { keptPort } from '../../kept-port.js';
import { Workplace } from '../keelson-process.js';

const ROOT = join(__dirname, '../../..');
const OPERATOR = [join(ROOT, 'examples/memcached/memcached-operator.ts'), '--run', join(ROOT, 'examples/memcached/operator.ts')];
const SAMPLE = `
apiVersion: cache.example.com/v1alpha1
kind: Memcached
metadata: { name: sample, namespace: default }
spec: { size: 3, image: 'memcached:1.6' }
`;
/** Pods of memcached are processes: each notes its start, and is ready when it listens. */
const CONTAINERS = `
const program = "require('fs').appendFileSync(process.env.STARTS, process.pid + '\\\\n'); require('net').createServer().listen(11211, process.argv[1])";
exports.containers = {
  programs: new Map([
    ['memcached:*', ({ address }) => ({ program: process.execPath, args: ['-e', program, address], env: { STARTS: process.env.STARTS } })],
  ]),
  options: { names: 'never' },
};
`;
const environment = { MEMCACHED_IMAGE: 'memcached:1.6' };

let workplace: Workplace;
let directory: string;
beforeEach(() => {
  workplace = new Workplace();
  directory = workplace.directory;
  mkdirSync(join(directory, 'watched'));
  writeFileSync(join(directory, 'sample.yaml'), SAMPLE);
});
afterEach(() => workplace.close());

test('an operator runs against the cluster of a context, with its webhooks; Ctrl-C leaves no part, process or file of it', async () => {
  const kubeconfig = join(directory, 'cluster.kubeconfig');
  const server = workplace.start(['apiserver', '--workloads', '--kubeconfig', kubeconfig]);
  await server.shows(/Ctrl-C ends it/);
  const port = await keptPort();
  const dev = workplace.start(
    [
      'dev',
      ...OPERATOR,
      '--context',
      'keelson',
      '--kubeconfig',
      kubeconfig,
      '--yes',
      '-f',
      'sample.yaml',
      '--watch',
      'watched',
      '--webhook-url',
      `https://127.0.0.1:${port}`,
    ],
    // What the terminal of the parent can show says nothing of the command's own.
    { environment: { ...environment, TERM: 'xterm-256color' } },
  );
  await dev.shows(/memcached-operator is ready after/);
  await dev.shows(/Memcached default\/sample {2}Ready=True/);
  expect(dev.text).toMatch(/^The cluster is at https:\/\/127\.0\.0\.1:\d+ \(kubeconfig \S+, context keelson\)\n/);
  expect(workplace.operators).toHaveLength(1);
  const client = createClient({ connection: await loadConnection({ kubeconfig }) });
  try {
    const even = { metadata: { name: 'even', namespace: 'default' }, spec: { size: 2, image: 'memcached:1.6' } };
    await expect(client.create(Memcached, even)).rejects.toThrow('must be odd');
    workplace.save('watched/settings.json', '{}');
    await dev.shows(/watched\/settings\.json has changed: the operator starts again[\s\S]*is ready after/);
    expect(await dev.interrupt()).toBe(0);
    expect(workplace.children).toEqual([]);
    expect(workplace.temporaryFiles).toEqual([]);
    await expect(client.get(ClusterRole, { name: 'memcached-operator' })).rejects.toMatchObject({ code: 'KEELSON_API_NOT_FOUND' });
    // No configuration is left that names a process which has ended.
    await client.create(Memcached, even);
  } finally {
    client.close();
  }
  expect(dev.text).not.toContain('\u001B');
  expect(await server.interrupt()).toBe(0);
});

test('against its own server a change of a file starts the operator again; the objects are the same, and the processes of their Pods run on', async () => {
  writeFileSync(join(directory, 'containers.cjs'), CONTAINERS);
  const options = ['-f', 'sample.yaml', '--watch', 'watched', '--containers', 'containers.cjs'];
  const dev = workplace.start(['dev', ...OPERATOR, ...options], { environment: { ...environment, STARTS: join(directory, 'starts') } });
  const starts = (): readonly string[] => readFileSync(join(directory, 'starts'), 'utf8').trim().split('\n');
  await dev.shows(/Memcached default\/sample {2}Ready=True/);
  const [, kubeconfig = ''] = /KUBECONFIG=(\S+)/.exec(await dev.shows(/KUBECONFIG=\S+/)) ?? [];
  const client = createClient({ connection: await loadConnection({ kubeconfig }) });
  try {
    // In no manifest: nobody would create it once more.
    await client.create(Memcached, { metadata: { name: 'by-hand', namespace: 'default' }, spec: { size: 1, image: 'memcached:1.6' } });
    await dev.shows(/Memcached default\/by-hand {2}Ready=True/);
    const uids = async (): Promise<readonly string[]> => {
      const listed = await Promise.all([Memcached, Deployment, Pod].map((kind) => client.listAll(kind)));
      return listed.flatMap(({ items }) => items.map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.uid}`)).sort();
    };
    const before = await uids();
    expect(before.filter((line) => line.startsWith('Pod '))).toHaveLength(4);
    const programs = starts();
    expect(programs).toHaveLength(4);
    workplace.save('watched/settings.json', '{}');
    await dev.shows(/watched\/settings\.json has changed: the operator starts again[\s\S]*is ready after/);
    expect(workplace.operators).toHaveLength(1);
    // Its caches are those of a new process: a write shows that it is at work.
    await client.patch(Memcached, { namespace: 'default', name: 'by-hand' }, mergePatch({ spec: { size: 3 } }));
    // Pods may be there sooner than a command that looks from time to time can see them missing.
    await dev.shows(/Memcached default\/by-hand {2}Ready=True PodsReady: 3 of 3 pods are available/);
    expect(await uids()).toEqual(expect.arrayContaining([...before]));
    expect(starts().slice(0, 4)).toEqual(programs);
    expect(starts()).toHaveLength(6);
  } finally {
    client.close();
  }
  expect(await dev.interrupt()).toBe(0);
});

test('the process of the next start has loaded the packages before, unless they have changed; each save has a process of its own', async () => {
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  const dev = workplace.start(['dev', ...OPERATOR, '--watch', 'watched'], { environment });
  const spare = async (): Promise<string> => {
    await eventually(async () => workplace.spares.length === 1);
    return workplace.spares[0] ?? '';
  };
  /** Saves a file. @returns the process of the operator that is ready after it */
  const save = async (): Promise<string> => {
    const { length } = dev.text;
    workplace.save('watched/settings.json', '{}');
    await eventually(async () => /is ready after/.test(dev.text.slice(length)));
    expect(workplace.operators).toHaveLength(1);
    return workplace.operators[0] ?? '';
  };
  await dev.shows(/memcached-operator is ready after/);
  const [first] = workplace.operators;
  const second = await spare();
  expect(await save()).toBe(second);
  expect(second).not.toBe(first);
  const old = await spare();
  // The folder of the command is watched: it starts the operator again.
  const { length } = dev.text;
  workplace.save('package.json', '{ "type": "module", "version": "2.0.0" }');
  await eventually(async () => /package\.json has changed[\s\S]*is ready after/.test(dev.text.slice(length)));
  expect(workplace.operators).toHaveLength(1);
  expect(workplace.operators).not.toEqual([old]);
  expect(workplace.children).not.toContain(old);
  expect(await dev.interrupt()).toBe(0);
  expect(workplace.children).toEqual([]);
});

test('sources that cannot be loaded end their process, also that of a spare, and the next change is another try', async () => {
  workplace.save('operator.ts', 'export const operator: = 1;\n');
  const dev = workplace.start(['dev', 'operator.ts'], { environment });
  const ENDED = 'the operator has ended with code 1; it starts again when a file changes';
  await dev.shows(ENDED);
  expect(workplace.operators).toEqual([]);
  await eventually(async () => workplace.spares.length === 1);
  const { length } = dev.text;
  workplace.save('operator.ts', 'export const operator: = 2;\n');
  await eventually(async () => dev.text.slice(length).includes(ENDED));
  expect(workplace.operators).toEqual([]);
  expect(await dev.interrupt()).toBe(0);
  expect(workplace.children).toEqual([]);
});

test.each([
  ['with NO_COLOR', { NO_COLOR: '1' }, false],
  ['without NO_COLOR', {}, true],
])('on a terminal %s: the start is named in a line that goes, the table is drawn, and Ctrl-C ends all', async (_, colours, hasColours) => {
  const dev = workplace.start(['dev', ...OPERATOR, '-f', 'sample.yaml'], {
    isOnTerminal: true,
    environment: { ...environment, ...colours },
  });
  // The line, and the sequence that clears it.
  await dev.shows('starting the API server\r\u001B[K');
  const metrics = await dev.shows(/http:\S+\/metrics/);
  await dev.shows(/Memcached default\/sample +\w+ +Ready=True/);
  // The end of a colour.
  expect(dev.text.includes('\u001B[0m')).toBe(hasColours);
  expect(workplace.operators).toHaveLength(1);
  dev.press('\u0003');
  expect(await dev.status).toBe(0);
  expect(dev.text).toContain('ended by SIGINT');
  expect(workplace.children).toEqual([]);
  expect(workplace.temporaryFiles).toEqual([]);
  await expect(fetch(metrics)).rejects.toThrow();
});
