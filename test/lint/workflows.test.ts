import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { surroundings } from '../../src/cli/scaffold/index.js';

interface Workflow {
  readonly permissions?: unknown;
  readonly on: unknown;
}

const OWN = '.github/workflows';
const project = { name: 'my-operator', runner: 'vitest', format: 'esm', keelson: '^1.0.0' } as const;

/** All workflows by name: those that run here, and those that `keelson init` writes. */
const workflows: Readonly<Record<string, string>> = Object.fromEntries([
  ...(existsSync(OWN) ? readdirSync(OWN) : []).map((file) => [`${OWN}/${file}`, readFileSync(join(OWN, file), 'utf8')]),
  ...surroundings(project)
    .filter(({ path }) => path.startsWith(OWN))
    .map(({ path, text }) => [`keelson init: ${path}`, text]),
]);

const usesOf = (text: string): readonly string[] => [...text.matchAll(/^\s*(?:- )?uses: *(.*)$/gm)].map(([, used = '']) => used);
/** A workflow of the same commit needs no digest. */
const foreignUsesOf = (text: string): readonly string[] => usesOf(text).filter((used) => !used.startsWith('./'));

describe.each(Object.entries(workflows))('%s', (_name, text) => {
  test('runs no action that its owner can exchange: each has the digest of a commit, and says its version', () => {
    const uses = foreignUsesOf(text);
    expect(uses).not.toEqual([]);
    for (const used of uses) expect(used).toMatch(/^[\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('has no rights but those that it names', () => {
    const { permissions } = parse(text) as Workflow;
    // Without this field, a token may have the rights that the repository gives to all workflows.
    expect([{}, { contents: 'read' }]).toContainEqual(permissions);
  });

  test('leaves no token for the programs of later steps', () => {
    expect(text.match(/actions\/checkout@/g)?.length).toBe(text.match(/persist-credentials: false/g)?.length);
  });

  test('puts no text of an event into a shell script', () => {
    const { jobs } = parse(text) as { readonly jobs: Readonly<Record<string, { readonly steps?: readonly { readonly run?: string }[] }>> };
    const scripts = Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run = '' }) => run));
    for (const script of scripts) expect(script).not.toContain('${{');
  });
});

test('one action does not have two digests', () => {
  const versions = new Map<string, Set<string>>();
  for (const used of Object.values(workflows).flatMap(foreignUsesOf)) {
    const [action = '', pinned = ''] = used.split('@');
    versions.set(action, (versions.get(action) ?? new Set()).add(pinned));
  }
  for (const [action, pinned] of versions) expect([action, ...pinned]).toHaveLength(2);
});

test('nothing of a new project is released without a tag', () => {
  const release = workflows['keelson init: .github/workflows/release.yaml'] ?? '';
  expect((parse(release) as Workflow).on).toEqual({ push: { tags: ['v*'] } });
});

test('CI on GitHub leaves out no stage of .ci/run but those of a node', () => {
  const ci = workflows[`${OWN}/ci.yaml`] ?? '';
  const stages = [...readFileSync('.ci/run', 'utf8').matchAll(/^stage .* make (?:--keep-going )?([a-z][\w-]*)$/gm)].map(
    ([, target]) => target,
  );
  const targets = [...ci.matchAll(/run: make (?:--keep-going )?(\S+)$/gm)].map(([, target]) => target);
  expect(stages.length).toBeGreaterThan(4);
  expect(stages.filter((stage) => !targets.includes(stage))).toEqual(['real-servers', 'node-test']);
});
