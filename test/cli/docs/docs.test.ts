import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { StructuralSchema } from '@keelson/kubernetes/apimachinery';
import type { OperatorModel } from 'keelson';
import { operator as cronjob } from '../../../examples/cronjob/cronjob-operator.js';
import { backupOperator } from '../../../examples/etcd/etcd-backup-operator.js';
import { operator as etcd } from '../../../examples/etcd/etcd-operator.js';
import { operator as memcached } from '../../../examples/memcached/memcached-operator.js';
import { operator as prometheus } from '../../../examples/prometheus/prometheus-operator.js';
import { operator as sidecarset } from '../../../examples/sidecarset/sidecarset-operator.js';
import { operatorGraph } from '../../../src/cli/docs/operator-graph.js';
import { PageFolder } from '../../../src/cli/docs/page-folder.js';
import { MARKER, pagesOf } from '../../../src/cli/docs/pages.js';
import { runIn } from '../commands.js';
import { Workplace } from '../keelson-process.js';
import { TestFolder } from '../test-folder.js';

const OPERATORS: Readonly<Record<string, OperatorModel>> = {
  memcached,
  sidecarset,
  cronjob,
  etcd,
  'etcd-backup': backupOperator,
  prometheus,
};
const folder = new TestFolder('docs');

/** Paths of all properties, and what is asked of them in words that a page must have. */
function wanted(path: string, schema: StructuralSchema): readonly (readonly [string, readonly string[]])[] {
  const { properties = {}, items, additionalProperties } = schema;
  const words = [
    ...(schema.description === undefined ? [] : [schema.description]),
    ...(schema['x-kubernetes-validations'] ?? []).map(({ rule, message }) =>
      rule === 'self == oldSelf' ? 'Cannot be changed' : (message ?? rule),
    ),
    ...(schema.pattern === undefined ? [] : [schema.pattern]),
    ...[schema.minimum, schema.maximum, schema.maxLength, schema.maxItems].flatMap((bound) => (bound === undefined ? [] : [String(bound)])),
    ...(schema.default === undefined ? [] : [JSON.stringify(schema.default)]),
    ...(schema.enum ?? []).map(String),
  ];
  return [
    ...(path.endsWith('[]') || path.endsWith('.<key>') || path === '' ? [] : [[path, words] as const]),
    ...Object.entries(properties).flatMap(([name, property]) => wanted(path === '' ? name : `${path}.${name}`, property)),
    ...(items === undefined ? [] : wanted(`${path}[]`, items)),
    ...(typeof additionalProperties === 'object' ? wanted(`${path}.<key>`, additionalProperties) : []),
  ];
}

describe.each(Object.entries(OPERATORS))('the pages of %s', (_, operator) => {
  const pages = new Map(pagesOf(operator).map(({ name, text }) => [name, text]));

  test('have a row for every field of every version, with all that is asked of it', () => {
    let fields = 0;
    for (const { plural, group, versionList } of operator.customResources) {
      const text = pages.get(`${plural}.${group}.md`) ?? '';
      const versions = new Map(text.split('\n## ').map((part) => [part.split('\n')[0] ?? '', part]));
      for (const { name, schema } of versionList) {
        const rows = new Map((versions.get(name) ?? '').split('\n').map((line) => [/^\| `([^`]*)`/.exec(line)?.[1] ?? '', line]));
        for (const [path, words] of wanted('', schema)) {
          if (['apiVersion', 'kind', 'metadata'].includes(path)) continue;
          const row = rows.get(path);
          expect([path, row === undefined ? 'missing' : 'there']).toEqual([path, 'there']);
          for (const word of words)
            expect(row).toContain(
              word
                .trim()
                .replace(/\s*\n\s*/g, ' ')
                .replaceAll('|', '\\|'),
            );
          fields += 1;
        }
      }
    }
    expect(fields).toBeGreaterThan(15);
  });

  test('have tables whose rows have as many cells as their head, and links that lead to pages', () => {
    for (const [name, text] of pages) {
      let cells = 0;
      for (const line of text.split('\n')) {
        const count = line.startsWith('|') ? line.replaceAll('\\|', '').split('|').length : 0;
        if (cells > 0 && count > 0) expect([name, line, count]).toEqual([name, line, cells]);
        cells = count;
      }
      for (const [, target = ''] of text.matchAll(/\]\(([^)#]+\.md)\)/g))
        if (!target.startsWith('http')) expect([...pages.keys()]).toContain(target);
    }
  });

  test('name every controller, webhook, setting, metric and right', () => {
    const page = pages.get('README.md') ?? '';
    for (const { name, for: kind, owns } of operator.controllers) {
      expect(page).toContain(`| \`${name}\` | ${kind.kind} |`);
      for (const handle of Object.keys(owns)) expect(page).toContain(`(\`${handle}\`)`);
    }
    for (const { name } of operator.webhooks) expect(page).toContain(`| \`${name}\` |`);
    expect(page).toContain('BECAUSE');
  });

  test('have a picture in which each edge joins two nodes', () => {
    const lines = operatorGraph(operator).split('\n').slice(1);
    const nodes = new Set(lines.flatMap((line) => /^ {2}(n\d+)(?=[[({])/.exec(line)?.[1] ?? []));
    const edges = lines.flatMap((line) => (/^ {2}(n\d+) -\.?->\|"[^"]+"\| (n\d+)$/.exec(line) ?? []).slice(1));
    expect(edges.length).toBeGreaterThan(1);
    expect(edges.filter((id) => !nodes.has(id))).toEqual([]);
    expect(new Set(lines).size).toBe(lines.length);
  });
});

describe('the folder', () => {
  const pages = pagesOf(memcached);
  const at = (name: string): Promise<PageFolder> => PageFolder.at(join(folder.path, name), name);

  test('gets what differs, loses pages of kinds that are gone, and is checked', async () => {
    expect((await at('ref')).problems(pages)).toEqual([
      'ref/README.md: does not exist',
      'ref/memcacheds.cache.example.com.md: does not exist',
    ]);
    expect(existsSync(join(folder.path, 'ref'))).toBe(false);
    expect(await (await at('ref')).write(pages)).toEqual(['README.md', 'memcacheds.cache.example.com.md']);
    expect((await at('ref')).problems(pages)).toEqual([]);
    folder.put('ref/guide.md', '# By hand\n');
    folder.put('ref/gone.example.com.md', `${MARKER}\n`);
    folder.put('ref/README.md', folder.read('ref/README.md').replace('memcached-operator', 'other'));
    expect((await at('ref')).problems(pages)).toEqual([
      'ref/README.md: differs from the definition',
      'ref/gone.example.com.md: is of a kind that the operator no longer has',
    ]);
    expect(await (await at('ref')).write(pages)).toEqual(['README.md', 'gone.example.com.md (deleted)']);
    expect((await at('ref')).problems(pages)).toEqual([]);
    expect(folder.read('ref/guide.md')).toBe('# By hand\n');
  });

  test('keeps what somebody else has written, and is not left by a link', async () => {
    folder.put('docs/README.md', '# My project\n');
    await expect((await at('docs')).write(pages)).rejects.toThrow(
      'docs/README.md: was not generated by keelson docs, so it is not replaced; choose another folder with --out',
    );
    expect(existsSync(join(folder.path, 'docs/memcacheds.cache.example.com.md'))).toBe(false);
    mkdirSync(join(folder.path, 'linked'));
    symlinkSync(join(folder.path, 'docs/README.md'), join(folder.path, 'linked/README.md'));
    await expect(at('linked')).rejects.toThrow('linked/README.md: is a symbolic link');
    folder.put('file', '');
    await expect(at('file')).rejects.toThrow(/^file: cannot be read: ENOTDIR/);
  });
});

test('a project has its pages and its picture by command', async () => {
  const workplace = new Workplace();
  try {
    const definition = "{ group: 'lab.example.org', kind: 'Kiln', versions: { v1: { spec: z.object({ heat: k.int32().min(1) }) } } }";
    workplace.save(
      'operator.ts',
      `import { defineController, defineCustomResource, defineOperator, k } from 'keelson';
import { z } from 'zod';
const Kiln = defineCustomResource(${definition});
const controller = defineController({ name: 'kiln', for: Kiln, reconcile: ({ done }) => done() });
export const operator = defineOperator({ name: 'kiln-operator', controllers: [controller] });
`,
    );
    const ran = async (...args: readonly string[]): Promise<readonly [number | null, string]> => {
      const command = workplace.start([...args, '--operator', 'operator.ts']);
      return [await command.status, command.text];
    };
    expect(await ran('docs', '--check')).toEqual([
      1,
      'docs/reference/README.md: does not exist\ndocs/reference/kilns.lab.example.org.md: does not exist\n' +
        'keelson docs: the pages are out of date; run keelson docs, and commit them\n',
    ]);
    expect(await ran('docs')).toEqual([0, 'docs/reference/README.md\ndocs/reference/kilns.lab.example.org.md\n']);
    expect(await ran('docs', '--check')).toEqual([0, '']);
    expect(await ran('graph')).toEqual([0, 'flowchart LR\n  n1{{"kiln"}}\n  n2["Kiln"]\n  n2 -->|"is reconciled by"| n1\n']);
  } finally {
    await workplace.close();
  }
});

test('a wrong command line is told', async () => {
  expect((await runIn(folder.path, ['graph'])).error).toContain('there is no src/operator.ts here');
  expect((await runIn(folder.path, ['docs', 'more'])).status).toBe(2);
});
