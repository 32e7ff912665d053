import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { repositories } from './workflows.js';

interface Job {
  readonly needs?: string | readonly string[];
  readonly uses?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly { readonly run?: string; readonly uses?: string; readonly with?: object }[];
}

interface Workflow {
  readonly permissions?: unknown;
  readonly on: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** Jobs that can publish, sign or write to the repository. */
const publishers = ({ jobs }: Workflow): readonly [string, Job][] =>
  Object.entries(jobs).filter(([, { permissions = {} }]) => Object.values(permissions).includes('write'));

/** Jobs that have ended before this one begins. */
function before({ jobs }: Workflow, name: string): readonly string[] {
  const needs = [jobs[name]?.needs ?? []].flat();
  return [...needs, ...needs.flatMap((needed) => before({ jobs, on: undefined }, needed))];
}

/** All workflows, by repository and path. */
const workflows: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(repositories).flatMap(([repository, files]) =>
    Object.entries(files).map(([path, text]) => [`${repository}: ${path}`, text]),
  ),
);

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
    const { jobs } = parse(text) as Workflow;
    const scripts = Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run = '' }) => run));
    for (const script of scripts) expect(script).not.toContain('${{');
  });
});

describe.each(Object.entries(workflows).filter(([name]) => name.endsWith('release.yaml')))('%s', (_name, text) => {
  const release = parse(text) as Workflow;

  test('publishes nothing without a tag', () => {
    expect(release.on).toEqual({ push: { tags: ['v*'] } });
  });

  test('publishes nothing before the tests of ci.yaml have passed', () => {
    const tests = Object.keys(release.jobs).filter((name) => release.jobs[name]?.uses === './.github/workflows/ci.yaml');
    expect(publishers(release)).not.toEqual([]);
    for (const [name] of publishers(release)) expect(before(release, name)).toEqual(expect.arrayContaining(tests));
    expect(tests).toHaveLength(1);
  });

  test('publishes nothing out of a cache, which a pull request may have filled', () => {
    const steps = publishers(release).flatMap(([, job]) => job.steps ?? []);
    expect(steps.flatMap(({ with: inputs = {} }) => Object.keys(inputs))).not.toContain('cache');
    // Without the second input, setup-node caches where package.json names npm as its package manager.
    const nodes = steps.filter(({ uses = '' }) => uses.startsWith('actions/setup-node'));
    expect(nodes.map(({ with: inputs }) => inputs)).toEqual(nodes.map(() => ({ 'node-version': 24, 'package-manager-cache': false })));
    expect(steps.filter(({ uses = '' }) => uses.startsWith('actions/cache'))).toEqual([]);
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

test('CI on GitHub leaves out no stage of .ci/run but those of a node', () => {
  const ci = repositories.keelson['.github/workflows/ci.yaml'] ?? '';
  const stages = [...readFileSync('.ci/run', 'utf8').matchAll(/^stage .* make (?:--keep-going )?([a-z][\w-]*)$/gm)].map(
    ([, target]) => target,
  );
  const targets = [...ci.matchAll(/run: make (?:--keep-going )?(\S+)$/gm)].map(([, target]) => target);
  expect(stages.length).toBeGreaterThan(4);
  expect(stages.filter((stage) => !targets.includes(stage))).toEqual(['real-servers', 'node-test']);
});
