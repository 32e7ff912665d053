import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { HANG_MS } from '../../deadline.cjs';

const ROOT = resolve(__dirname, '../../..');
// In the tree, so that the packages are found from there.
mkdirSync(join(ROOT, 'dist'), { recursive: true });
const folder = mkdtempSync(join(ROOT, 'dist/unused operator-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DEFINITION = `
import { z } from 'zod';
import { defineController, defineCustomResource, defineOperator } from '${join(ROOT, 'src/keelson/definition/index.ts')}';
const A = defineCustomResource({ group: 'example.com', kind: 'A', versions: { v1: { spec: z.object({}) } } });
const controller = defineController({ name: 'a', for: A, reconcile: ({ done }) => done() });
export const operator = defineOperator({ name: 'a-operator', controllers: [controller] });
`;

function run(file: string, text: string): { readonly status: number | null; readonly stderr: string } {
  const path = join(folder, file);
  writeFileSync(path, text);
  return spawnSync(process.execPath, ['--import', 'tsx', path], { encoding: 'utf8', cwd: ROOT, timeout: HANG_MS });
}

test('a definition that is run as the program says that it runs nothing', () => {
  const { status, stderr } = run('operator.mts', DEFINITION);
  expect(stderr).toContain('KeelsonWarning: this program defines the operator a-operator, and does not run it. To run it, write a module');
  expect(status).toBe(0);
});

test('a program that reads its own operator, one that uses the runtime, and one that imports the operator say nothing', () => {
  expect(run('synth.mts', `${DEFINITION}\noperator.name.trim();\n`)).toMatchObject({ status: 0, stderr: '' });
  const runtime = `import '${join(ROOT, 'src/runtime/index.ts')}';`;
  expect(run('client.mts', `${runtime}${DEFINITION}`)).toMatchObject({ status: 0, stderr: '' });
  writeFileSync(join(folder, 'defined.mts'), DEFINITION);
  expect(run('run.mts', "import { operator } from './defined.mts';\nexport const { name } = operator;\n")).toMatchObject({
    status: 0,
    stderr: '',
  });
});
