import { readContext } from '../../../src/cli/plan/context-source.js';
import { ConfigMap } from '../../../src/kubernetes/kinds/index.js';
import { TestCluster } from '../../../src/testing/index.js';
import { runIn } from '../commands.js';
import { Workplace } from '../keelson-process.js';
import { KILN_MODULE } from '../rehearsal/kiln-module.js';
import { Kiln, kilnOperator } from '../rehearsal/kiln-operator.js';
import { TestFolder } from '../test-folder.js';

const folder = new TestFolder('plan');

const kilnText = (heat: number) => `apiVersion: lab.example.org/v1\nkind: Kiln\nmetadata: {name: a}\nspec: {heat: ${heat}}\n`;

test('the process of a project plans its world, and its exit status tells changes from failures', async () => {
  const workplace = new Workplace();
  try {
    workplace.save('operator.ts', KILN_MODULE);
    workplace.save('kiln.yaml', kilnText(4));
    const command = workplace.start(['plan', '--operator', 'operator.ts', '-f', 'kiln.yaml']);
    expect({ status: await command.status, text: command.text }).toEqual({
      status: 2,
      text: '+ create ConfigMap default/a of Kiln default/a\n\nPlan: 1 to create, 0 to change, 0 to delete, 0 to recreate. No Pod will restart.\n',
    });
    workplace.save('kiln.yaml', kilnText(0));
    const failing = workplace.start(['plan', '--operator', 'operator.ts', '-f', 'kiln.yaml', '-f', 'none.yaml']);
    expect(await failing.status).toBe(1);
    expect(failing.text).toMatch(
      /^Failed or not judged:\n {2}none\.yaml: there is no such file or folder\n {2}Kiln a \(kiln\.yaml\): .*spec\.heat/,
    );
    workplace.save('kiln.yaml', '# nothing but a comment\n---\n');
    workplace.save('empty.yaml', 'apiVersion: v1\nkind: List\nitems: []\n');
    expect(await workplace.start(['plan', '--operator', 'operator.ts', '-f', 'empty.yaml']).status).toBe(0);
  } finally {
    await workplace.close();
  }
});

const CONFIGURED = KILN_MODULE.replace('k } from', 'k, settings } from')
  .replace('const controller', "const config = settings(z.object({ unit: z.string() }), { prefix: 'KILN_' });\nconst controller")
  .replace('owns:', 'uses: { config },\n  owns:')
  .replace('spec }, done', 'spec }, config, done')
  .replace('String(spec.heat)', 'String(spec.heat) + config.unit');

test('settings without a default come from the environment of plan and render; a missing one is named, without a stack', async () => {
  const workplace = new Workplace();
  try {
    workplace.save('operator.ts', CONFIGURED);
    workplace.save('kiln.yaml', kilnText(4));
    const missing = workplace.start(['plan', '--operator', 'operator.ts', '-f', 'kiln.yaml']);
    expect({ status: await missing.status, text: missing.text }).toEqual({
      status: 1,
      text: 'the operator kiln-operator does not start: settings cannot be used:\n  KILN_UNIT is not set: Invalid input: expected string, received undefined\nGive settings in the environment of this command, as its Deployment does.\n',
    });
    const given = workplace.start(['render', '--operator', 'operator.ts', 'kiln.yaml'], { environment: { KILN_UNIT: ' °C' } });
    expect({ status: await given.status, text: given.text }).toMatchObject({ status: 0, text: expect.stringContaining('heat: 4 °C') });
  } finally {
    await workplace.close();
  }
});

test('a module that also runs its operator is read, and nothing is started: not on the cluster of the kubeconfig', async () => {
  const workplace = new Workplace();
  try {
    workplace.save('main.ts', `import { run } from '@keelson/runtime';\n${KILN_MODULE}void run(operator);\n`);
    workplace.save('kiln.yaml', kilnText(4));
    const command = workplace.start(['plan', '--operator', 'main.ts', '-f', 'kiln.yaml'], { environment: { KUBECONFIG: 'none' } });
    expect({ status: await command.status, text: command.text }).toMatchObject({
      status: 2,
      text: expect.stringMatching(/^\+ create ConfigMap/),
    });
  } finally {
    await workplace.close();
  }
});

test.each([
  ['-o yaml', 'keelson plan: --output yaml: is not known; choose text, json or markdown'],
  ['--timeout 0s', 'keelson plan: --timeout 0s: is not a time; give one such as 30s or 2m'],
  ['-n shop', 'keelson plan: --kubeconfig and --namespace need --context: without it no cluster is read'],
  ['', 'keelson plan: there is no src/operator.ts here; name the module that exports the operator with --operator'],
  ['--fielname x', 'keelson plan: unknown option --fielname; did you mean --filename?'],
])('a wrong command line (%j) is told with the way out, and its exit status is not that of changes', async (words, told) => {
  const { status, error } = await runIn(folder.path, ['plan', ...words.split(' ').filter((word) => word !== '')]);
  expect({ status, error }).toEqual({ status: 1, error: `${told}\nSee keelson plan --help.\n` });
});

describe('with --context', () => {
  test('the source gets no write, and only kinds that the operator reads are asked for', async () => {
    const cluster = await TestCluster.start({ operator: kilnOperator(), namespace: 'shop' });
    try {
      await cluster.create(Kiln({ metadata: { name: 'a' }, spec: {} }));
      await cluster.create(ConfigMap({ metadata: { name: 'c' }, data: { a: 'b' } }));
      folder.put('kubeconfig', await cluster.kubeconfig());
      const { mark } = cluster.requests;
      const options = { context: 'keelson', kubeconfig: `${folder.path}/kubeconfig`, namespace: 'shop' };
      const { objects } = await readContext(kilnOperator(), options);
      expect(objects.unread).toEqual([]);
      expect(objects.found.map(({ object: { kind, metadata } }) => `${kind} ${metadata.name}`)).toEqual(
        expect.arrayContaining(['Kiln a', 'ConfigMap c']),
      );
      expect(objects.found.every(({ object: { metadata } }) => metadata.uid !== undefined && metadata.managedFields !== undefined)).toBe(
        true,
      );
      cluster.requests.since(mark).expectNoWrites();
    } finally {
      await cluster.close();
    }
  });

  test('a kind that the caller may not read is named', async () => {
    const cluster = await TestCluster.start({ operator: kilnOperator(), namespace: 'shop' });
    try {
      folder.put('kubeconfig', await cluster.kubeconfig({ user: 'guest' }));
      const options = { context: 'keelson', kubeconfig: `${folder.path}/kubeconfig`, namespace: undefined };
      await expect(readContext(kilnOperator(), options)).rejects.toThrow(
        /^of context keelson, these kinds cannot be read, and the operator needs them:\n {2}kilns\.lab\.example\.org: .*\n {2}deployments\.apps: .*is forbidden: User "guest" cannot list/,
      );
    } finally {
      await cluster.close();
    }
  });

  test('a server that cannot be reached is told once', async () => {
    const parts = {
      clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:1' } }],
      users: [{ name: 'u', user: { token: 't' } }],
      contexts: [{ name: 'gone', context: { cluster: 'c', user: 'u' } }],
    };
    folder.put('kubeconfig', JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...parts }));
    const options = { context: 'gone', kubeconfig: `${folder.path}/kubeconfig`, namespace: undefined };
    await expect(readContext(kilnOperator(), options)).rejects.toThrow(/^the cluster cannot be read: .*ECONNREFUSED 127\.0\.0\.1:1$/);
  });
});
