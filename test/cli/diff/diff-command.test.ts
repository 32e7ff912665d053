import { execFileSync } from 'node:child_process';
import { applyAllowances, readAllowances } from '../../../src/cli/diff/allowances.js';
import { findingOf } from '../../../src/cli/diff/finding.js';
import { runIn } from '../commands.js';
import { TestFolder } from '../test-folder.js';

const folder = new TestFolder('diff');

const crd = (maximum: number, extra = ''): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: kilns.lab.example.org}
spec:
  group: lab.example.org
  scope: Namespaced
  names: {kind: Kiln, listKind: KilnList, plural: kilns, singular: kiln}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: {type: object, properties: {heat: {type: integer, maximum: ${maximum}${extra}}}}
`;
const diff = (...args: readonly string[]) => runIn(folder.path, ['diff', ...args]);

test('a breaking change fails, says why, and whether old objects can still be updated', async () => {
  folder.put('old.yaml', crd(9));
  folder.put('new/crd.yaml', crd(5, ', description: How hot it is.'));
  const { status, out, error } = await diff('old.yaml', 'new');
  expect(status).toBe(1);
  expect(out).toBe(`Breaking:
  CustomResourceDefinition kilns.lab.example.org
    v1 spec.heat: maximum: 9 → 5 (objects that have such a value can still be updated)  [bound-narrowed]
      Manifests and stored objects that were valid may be refused.

Diff: 1 breaking, 0 review, 1 info.
`);
  expect(error).toBe('keelson diff: there are breaking changes; allow those that you want in keelson.allow.yaml\n');
  expect((await diff('old.yaml', 'new', '--all')).out).toContain('For information:\n');
});

test('what is allowed does not fail, and an allowance that nothing needs does', async () => {
  folder.put('old.yaml', crd(9));
  folder.put('new.yaml', crd(5));
  const allow =
    'allow:\n- {rule: bound-narrowed, object: CustomResourceDefinition kilns.lab.example.org, path: v1 spec.heat, reason: no kiln was hotter}\n';
  folder.put('keelson.allow.yaml', allow);
  expect(await diff('old.yaml', 'new.yaml')).toEqual({ status: 0, out: 'Diff: 0 breaking, 0 review, 0 info, 1 allowed.\n', error: '' });
  const { out } = await diff('old.yaml', 'new.yaml', '-o', 'json');
  expect(JSON.parse(out)).toMatchObject({
    kind: 'Diff',
    findings: [],
    allowed: [{ rule: 'bound-narrowed', isRatcheted: true, reason: 'no kiln was hotter' }],
  });
  expect((await diff('new.yaml', 'new.yaml')).error).toBe(
    'keelson diff: keelson.allow.yaml: bound-narrowed of CustomResourceDefinition kilns.lab.example.org at v1 spec.heat: no finding needs it; remove it\n',
  );
});

test('a revision of git is read as it was', async () => {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', folder.path, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { stdio: 'pipe' });
  folder.put('dist/crd.yaml', crd(9));
  folder.put('dist/notes.txt', 'no manifest');
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '-m', 'one');
  folder.put('dist/crd.yaml', crd(5));
  expect((await diff('git:main:dist', 'dist/crd.yaml')).out).toContain('maximum: 9 → 5');
  expect((await diff('git:main:dist', 'git:main:dist')).status).toBe(0);
  for (const [given, message] of [
    ['git:nowhere:dist', 'git says: fatal: Needed a single revision'],
    ['git:main', 'is not git:REVISION:PATH'],
    ['git:main:none', 'there are no manifests at none in main'],
    ['git:--output=x:dist', 'git says:'],
  ] as const)
    expect((await diff(given, 'dist/crd.yaml')).error).toContain(message);
});

test.each([
  [[], 2, 'OLD and NEW are expected, got nothing'],
  [['a'], 2, 'OLD and NEW are expected, got a'],
  [['-', '-'], 2, 'standard input can be one of the two'],
  [['a', 'b', '-o', 'yaml'], 2, '--output yaml: is neither text nor json'],
  [['none.yaml', 'none.yaml'], 1, 'none.yaml: there is no such file or folder'],
  [['empty.yaml', 'empty.yaml'], 1, 'empty.yaml: is empty'],
  [['broken.yaml', 'old.yaml'], 1, 'broken.yaml: is not valid YAML'],
  [['old.yaml', 'old.yaml', '--allow', 'none'], 1, 'none: cannot be read: ENOENT'],
  [['old.yaml', 'old.yaml', '--allow', 'broken.yaml'], 1, 'broken.yaml: is not valid YAML'],
])('%j is told', async (args, status, message) => {
  folder.put('old.yaml', crd(9));
  folder.put('empty.yaml', '');
  folder.put('broken.yaml', 'a: [b\n');
  const ran = await diff(...args);
  expect([ran.status, ran.out]).toEqual([status, '']);
  expect(ran.error).toContain(message);
  expect(ran.error).not.toContain('    at ');
});

describe('allowances', () => {
  test('are read strictly', () => {
    const text = 'allow:\n- {rule: nope, object: x, reason: y, until: 2027}\n- 7\n- {rule: enum-narrowed, objekt: x}\n';
    expect(readAllowances(text).problems).toEqual([
      'allow[0]: names the rule nope, which does not exist',
      'allow[0]: until is not a day as "2027-03-31", in quotes',
      'allow[1]: is not a mapping with rule, object and reason',
      'allow[2]: has an unknown field objekt',
      'allow[2]: needs the text object',
      'allow[2]: needs the text reason',
    ]);
    expect(readAllowances('[]').problems).toEqual(['has no list under allow: write allow: [{ rule, object, reason }]']);
  });

  test('count to their last day, for their path alone', () => {
    const finding = findingOf('enum-narrowed', 'CustomResourceDefinition a', 'v1 spec.a', 'x');
    const allowance = { rule: 'enum-narrowed', object: 'CustomResourceDefinition a', reason: 'r', until: '2027-03-31' };
    expect(applyAllowances([finding], [allowance], '2027-03-31').open).toEqual([]);
    expect(applyAllowances([finding], [allowance], '2027-04-01')).toMatchObject({
      open: [finding],
      problems: ['enum-narrowed of CustomResourceDefinition a: its end was 2027-03-31'],
    });
    expect(applyAllowances([finding], [{ ...allowance, path: 'v1 spec.b' }], '2027-01-01').open).toEqual([finding]);
  });
});
