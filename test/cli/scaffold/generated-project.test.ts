import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checked, compiled, emptyWork, keelson, node } from '../scaffolded.js';

const root = process.cwd();

describe('the generated code', () => {
  const variants = [
    { folder: 'plain', args: '' },
    { folder: 'webhooks', args: '--webhooks --version v1' },
    { folder: 'conversion', args: '--conversion --no-webhooks' },
    { folder: 'all', args: '--webhooks --conversion --version v2 --jest' },
  ];
  const work = emptyWork('init');
  beforeAll(async () => {
    for (const { folder, args } of variants) {
      const { error } = await keelson(`init ${folder} --group net.example.com --kind HTTPProbe ${args}`.trim(), work);
      expect(error).toBe('');
    }
  });

  test('compiles, in all variants', () => {
    expect(compiled(work)).toBe('');
  });

  test('is formatted, and passes the lint rules that we keep ourselves', () => {
    const folders = variants.map(({ folder }) => folder);
    expect(checked(work, folders)).toMatch(/^Checked \d\d files/);
  });

  test('synthesizes, with webhooks and conversion', () => {
    const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
    expect(node([tsx, '--tsconfig', join(root, 'tsconfig.json'), 'src/main.ts'], join(work, 'all'))).toBe('');
    const system = readFileSync(join(work, 'all/dist/all.k8s.yaml'), 'utf8');
    for (const kind of [
      'Namespace',
      'CustomResourceDefinition',
      'Deployment',
      'ValidatingWebhookConfiguration',
      'MutatingWebhookConfiguration',
    ])
      expect(system).toContain(`\nkind: ${kind}\n`);
    expect(readFileSync(join(work, 'all/dist/samples.k8s.yaml'), 'utf8')).toContain('apiVersion: net.example.com/v2\nkind: HTTPProbe\n');
  });
});
