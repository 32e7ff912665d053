import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { testedVersions } from '../../scripts/build/pack.js';
import { nodeObstacle, nodeProgram } from '../../scripts/fetched/index.js';
import { consumer, run, succeed, tarballs } from './consumer.js';

/** The lines of the official client, each at the version that is tested. */
const VERSIONS = { 1: testedVersions()['@kubernetes/client-node'] as string, 2: '2.0.1' } as const;
type Line = keyof typeof VERSIONS;
const lines: readonly Line[] = [1, 2];

const projectOf = (line: Line): string => join(dirname(consumer), `client-node-${line}`);

/** With a compiler, for the types of client-node. */
const TOOLS = ['zod', 'typescript', '@types/node'].map((name) => `${name}@${testedVersions()[name]}`);

beforeAll(() => {
  for (const line of lines) {
    const project = projectOf(line);
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "name": "client-node", "private": true, "type": "module" }\n');
    const flags = ['--silent', '--prefer-offline', '--no-fund', '--no-audit', '--ignore-scripts'];
    const packages = [...Object.values(tarballs), `@kubernetes/client-node@${VERSIONS[line]}`, ...TOOLS];
    execFileSync('npm', ['install', ...flags, ...packages], { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
    for (const [file, text] of Object.entries({ 'both.ts': BOTH, 'plugin.ts': PLUGIN })) writeFileSync(join(project, file), text);
    const compiler = ['--module', 'nodenext', '--target', 'es2022', '--strict', '--skipLibCheck', '--types', 'node'];
    succeed(process.execPath, ['node_modules/typescript/bin/tsc', ...compiler, 'both.ts', 'plugin.ts'], {}, project);
  }
});

/** The official client against keelson's server, and keelson's client with a KubeConfig of the official one. */
const BOTH = `
import { CoreV1Api, CustomObjectsApi, KubeConfig, makeInformer } from '@kubernetes/client-node';
import { defineController, defineCustomResource, defineOperator } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { start } from '@keelson/runtime';
import { TestCluster } from '@keelson/testing';
import { z } from 'zod';

const [group, kind, namespace] = ['demo.example.com', 'Greeting', 'default'];
const Greeting = defineCustomResource({ group, kind, versions: { v1: { spec: z.object({ to: z.string() }) } } });
const controller = defineController({
  name: 'greeting',
  for: Greeting,
  owns: { texts: ConfigMap },
  reconcile: ({ object: { metadata, spec }, done }) =>
    done({ owned: { texts: [ConfigMap({ metadata: { name: metadata.name }, data: { text: 'hello ' + spec.to } })] } }),
});
const operator = defineOperator({ name: 'greeter', controllers: [controller] });

const cluster = await TestCluster.start({ operator });
const config = new KubeConfig();
config.loadFromString(await cluster.kubeconfig());
const silent = { debug() {}, info() {}, warn: console.log, error: console.log };
const running = await start(operator, { connection: config, environment: { KEELSON_HEALTH_PORT: '0' }, log: silent });

const core = config.makeApiClient(CoreV1Api);
const informer = makeInformer(config, '/api/v1/namespaces/default/configmaps', () => core.listNamespacedConfigMap({ namespace }));
const made = new Promise<string | undefined>((resolve) => {
  informer.on('add', (object) => object.metadata?.name === 'a' && resolve(object.data?.['text']));
});
await informer.start();
const body = { apiVersion: group + '/v1', kind, metadata: { name: 'a' }, spec: { to: 'world' } };
await config.makeApiClient(CustomObjectsApi).createNamespacedCustomObject({ group, version: 'v1', namespace, plural: 'greetings', body });
console.log(await made);
await informer.stop();
await running.stop();
await cluster.close();
`;

/** A login plugin that hands out the client certificate of an administrator: client-node runs it. */
const PLUGIN = `
import { readFileSync, writeFileSync } from 'node:fs';
import { ConfigMap } from 'keelson/kinds';
import { createClient, kubeconfigConnection, readKubeconfig } from '@keelson/runtime';
import { TestCluster } from '@keelson/testing';

const cluster = await TestCluster.start();
const text = await cluster.kubeconfig();
const pem = (field: string): string => Buffer.from(new RegExp(field + '-data: (.*)').exec(text)?.[1] ?? '', 'base64').toString();
const apiVersion = 'client.authentication.k8s.io/v1';
const status = { clientCertificateData: pem('client-certificate'), clientKeyData: pem('client-key') };
writeFileSync('credential.json', JSON.stringify({ apiVersion, kind: 'ExecCredential', status }));
const exec = { apiVersion, interactiveMode: 'Never', command: process.execPath, args: ['-p', "fs.readFileSync('credential.json', 'utf8')"] };
writeFileSync('kubeconfig', text.slice(0, text.indexOf('users:')) + 'users:\\n- name: admin\\n  user: ' + JSON.stringify({ exec }) + '\\n');
const client = createClient({ connection: kubeconfigConnection(await readKubeconfig(['kubeconfig'])) });
try {
  const { metadata } = await client.create(ConfigMap, ConfigMap({ metadata: { name: 'a', namespace: 'default' } }));
  console.log('created ' + metadata.name);
} catch (error) {
  console.log((error as Error).message);
}
client.close();
await cluster.close();
`;

const obstacle = nodeObstacle(24);
const testOn24 = obstacle === undefined ? test : test.skip;
const skipped = obstacle === undefined ? '' : ` [skipped: ${obstacle}]`;

describe.each(lines)('@kubernetes/client-node %i', (line) => {
  testOn24(`its clients are served, and an operator runs with its KubeConfig${skipped}`, () => {
    expect(succeed(nodeProgram(24), ['both.js'], {}, projectOf(line))).toBe('hello world\n');
  });

  testOn24(`it logs in by a plugin for keelson${skipped}`, () => {
    expect(succeed(nodeProgram(24), ['plugin.js'], {}, projectOf(line))).toBe('created a\n');
  });
});

const isOld = Number(process.versions.node.split('.')[0]) < 22;
const testOld = isOld ? test : test.skip;

testOld(
  `on an older Node the line that does not load there is not recommended${isOld ? '' : ` [skipped: ${process.version} is not older]`}`,
  () => {
    const { output } = run(process.execPath, ['plugin.js'], {}, projectOf(2));
    expect(output).toMatch(
      /logs in by exec, .*\(npm install @kubernetes\/client-node@1; version 2 needs Node 22\.19 or newer, and this is 20\./,
    );
    expect(succeed(process.execPath, ['plugin.js'], {}, projectOf(1))).toBe('created a\n');
  },
);
