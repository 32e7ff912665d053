import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type InProcessCluster, mergePatch, TestCluster } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, k } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { z } from 'zod';
import { runIn } from '../cli/commands.js';
import { DEADLINE_MS } from '../deadline.cjs';
import { describeCluster } from './harness/index.js';

const Gadget = defineCustomResource({
  group: 'tools.example.com',
  kind: 'Gadget',
  versions: {
    v1: {
      spec: z.object({ size: k.int32().default(1) }),
      status: z.object({ lastHandledReconcile: z.string().optional(), conditions: k.conditions() }),
    },
  },
});
const controller = defineController({
  name: 'gadget',
  for: Gadget,
  owns: { configs: ConfigMap },
  reconcile: ({ object, done }) =>
    done({ owned: { configs: [ConfigMap({ metadata: { name: object.metadata.name }, data: { size: String(object.spec.size) } })] } }),
});
const operator = defineOperator({ name: 'gadget-operator', controllers: [controller] });

describeCluster('kubectl plugin of an operator, and the real kubectl', (real) => {
  let cluster: InProcessCluster;
  let directory: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'keelson-plugin-'));
    cluster = await TestCluster.start({ operator, timeout: DEADLINE_MS });
    writeFileSync(join(directory, 'kubeconfig'), await cluster.kubeconfig());
    symlinkSync(real.connection.kubectl, join(directory, 'kubectl'));
    const written = await runIn(directory, ['kubectl-plugin', 'my-gadget', '--resource', 'gadgets.tools.example.com']);
    expect(written).toMatchObject({ status: 0, error: '' });
    await cluster.startOperator();
    await cluster.create(Gadget({ metadata: { name: 'a' }, spec: {} }));
    await cluster.until(ConfigMap, 'a', { data: { size: '1' } });
  });
  afterAll(async () => {
    await cluster?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** kubectl finds the plugin by its words. */
  async function kubectl(...args: readonly string[]): Promise<string> {
    const env = { PATH: `${directory}:${process.env['PATH'] ?? ''}`, HOME: directory, KUBECONFIG: join(directory, 'kubeconfig') };
    const { stdout } = await promisify(execFile)('kubectl', args, { env, cwd: directory, timeout: DEADLINE_MS });
    return stdout;
  }

  test('pause, resume and reconcile do what they say, and wait for it', async () => {
    const namespace = ['-n', cluster.namespace];
    expect(await kubectl('my', 'gadget', 'pause', 'a', ...namespace)).toContain('gadget.tools.example.com/a condition met');
    const { status } = await cluster.get(Gadget, 'a');
    expect(status?.conditions?.find(({ type }) => type === 'Paused')?.message).toMatch(/^kubectl-annotate paused the object at /);
    await cluster.patch(Gadget, 'a', mergePatch({ spec: { size: 2 } }));
    await cluster.settled();
    expect((await cluster.get(ConfigMap, 'a')).data).toEqual({ size: '1' });
    await kubectl('my', 'gadget', 'resume', 'a', ...namespace);
    await cluster.until(ConfigMap, 'a', { data: { size: '2' } });
    expect(await kubectl('my', 'gadget', 'reconcile', 'a', ...namespace)).toContain('gadget.tools.example.com/a condition met');
    const handled = (await cluster.get(Gadget, 'a')).metadata.annotations?.['tools.example.com/reconcile'];
    expect((await cluster.get(Gadget, 'a')).status?.lastHandledReconcile).toBe(handled);
  });
});
