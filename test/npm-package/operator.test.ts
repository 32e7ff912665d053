import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { consumer, succeed, write } from './consumer.js';

/** An operator in a stranger's project: synthesized, installed into a server of the command line, run as an image would run it, used and ended. */
const operator = `
const Greeting = defineCustomResource({
  group: 'demo.example.com',
  kind: 'Greeting',
  versions: { v1: { spec: z.object({ to: z.string() }), status: z.object({ said: z.string().optional(), conditions: k.conditions() }) } },
});
const controller = defineController({
  name: 'greeting',
  for: Greeting,
  owns: { texts: ConfigMap },
  reconcile: ({ object, texts, done }) => {
    const name = object.metadata.name;
    return done({ owned: { texts: [ConfigMap({ metadata: { name }, data: { text: 'hello ' + object.spec.to } })] }, status: { said: texts.get(name)?.data?.text } });
  },
  finalize: ({ done }) => done({ conditions: [{ type: 'Degraded', status: true, reason: 'Finalizing' }] }),
});
const operator = defineOperator({ name: 'greeter', controllers: [controller] });
`;
const synthesis = `
const app = new App();
new Operator(new Chart(app, 'greeter', { namespace: 'greeter-system' }), 'operator', { operator, image: 'registry.example.com/greeter:1', createNamespace: true });
app.synth();
`;
/** As a user of the kind would, through the client that the package has. */
const use = `
async function main() {
  const client = createClient({ connection: await loadConnection() });
  const key = { namespace: 'default', name: 'a' };
  await client.create(Greeting, Greeting({ metadata: key, spec: { to: 'world' } }));
  for (;;) {
    const { status } = await client.get(Greeting, key);
    if (status?.said === 'hello world') break;
  }
  await client.delete(Greeting, key);
  for (;;) {
    const found = await client.get(Greeting, key).catch((error) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (found === undefined) break;
  }
  console.log('greeted');
  await client.close?.();
}
main();
`;
const forms = {
  mjs: { load: (names: string, from: string) => `import { ${names} } from '${from}';\n`, run: 'await run(operator);\n' },
  cjs: { load: (names: string, from: string) => `const { ${names} } = require('${from}');\n`, run: 'void run(operator);\n' },
} as const;

const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly says: (text: string) => Promise<void>;
}

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
  const child = spawn(process.execPath, args, { cwd: consumer, env: { PATH: process.env['PATH'], ...env } });
  running.add(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  const says = async (text: string): Promise<void> => {
    while (!said.includes(text)) {
      const over = await Promise.race([once(child.stdout, 'data').then(() => false), ended.then(() => true)]);
      if (over) throw new Error(`it ended without saying ${text}:\n${said}`);
    }
  };
  return { child, ended, says };
}

test.each(['mjs', 'cjs'] as const)('an operator is synthesized, installed, run and ended, as %s', async (form) => {
  const { load, run } = forms[form];
  const definitions = [
    load('defineController, defineCustomResource, defineOperator, k', 'keelson'),
    load('ConfigMap', 'keelson/kinds'),
    load('z', 'zod'),
  ].join('');
  const constructs = load('App, Chart', 'cdk8s') + load('Operator', 'keelson/constructs');
  succeed(process.execPath, [write(`greeter-main.${form}`, `${definitions}${constructs}${operator}${synthesis}`)]);

  const kubeconfig = join(consumer, `greeter-${form}.kubeconfig`);
  rmSync(kubeconfig, { force: true });
  const command = join(consumer, 'node_modules/@keelson/cli/lib/esm/main.js');
  const server = start([command, 'apiserver', '--filename', 'dist/greeter.k8s.yaml', '--kubeconfig', kubeconfig]);
  await server.says('The API server listens');
  expect(existsSync(kubeconfig)).toBe(true);

  const program = write(`greeter-run.${form}`, `${definitions}${load('run', '@keelson/runtime')}${operator}${run}`);
  const environment = { KUBECONFIG: kubeconfig, KEELSON_HEALTH_PORT: '0', KEELSON_METRICS_PORT: '0' };
  const process_ = start([program], environment);
  await process_.says('"msg":"reconciling"');

  const user = write(
    `greeter-use.${form}`,
    `${definitions}${load('createClient, isNotFound, loadConnection', '@keelson/runtime')}${operator}${use}`,
  );
  expect(succeed(process.execPath, [user], { KUBECONFIG: kubeconfig })).toBe('greeted\n');

  process_.child.kill('SIGTERM');
  expect(await process_.ended).toBe(0);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});
