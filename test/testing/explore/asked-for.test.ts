import { ExplorationError, ExplorationSetupError, type ExploreOptions, explore } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, own } from 'keelson';
import { ConfigMap, Deployment, Secret } from 'keelson/kinds';
import { z } from 'zod';
import { ownSeeds } from './own-seeds.js';

const Note = defineCustomResource({
  group: 'asked.example.com',
  kind: 'Note',
  versions: { v1: { spec: z.object({ text: z.string(), mode: z.enum(['Plain', 'Bold']).default('Plain') }) } },
});
const note = (text: string, namespace?: string) =>
  Note({ metadata: { name: 'a', ...(namespace === undefined ? {} : { namespace }) }, spec: { text } });

async function failureOf(exploration: Promise<unknown>): Promise<string> {
  const error: unknown = await exploration.catch((thrown: unknown) => thrown);
  if (!(error instanceof ExplorationError)) throw error;
  return error.message;
}

ownSeeds();

describe('a story of two namespaces', () => {
  const remembering = (keyOf: (of: { readonly name: string; readonly namespace?: string | undefined }) => string) => {
    const texts = new Map<string, string>();
    return defineOperator({
      name: 'note-operator',
      controllers: [
        defineController({
          name: 'notes',
          for: Note,
          owns: { configs: ConfigMap },
          reconcile({ object: { metadata, spec }, done }) {
            const text = texts.get(keyOf(metadata)) ?? spec.text;
            texts.set(keyOf(metadata), text);
            return done({ owned: { configs: [ConfigMap({ metadata: { name: metadata.name }, data: { text } })] } });
          },
        }),
      ],
    });
  };
  const options: ExploreOptions = {
    namespaces: ['team-b'],
    story: ({ apply, remove }) => [
      apply(note('one')),
      apply(note('two', 'team-b')),
      remove(ConfigMap, 'team-b/a'),
      remove(Note, 'team-b/a'),
      apply(note('two', 'team-b')),
    ],
    async invariant({ cluster }) {
      const other = await cluster.find(ConfigMap, 'team-b/a');
      if ((other?.data?.['text'] ?? 'two') !== 'two') throw new Error('team-b has the text of another namespace');
    },
    seeds: 40,
  };

  test('finds what is kept by name alone', async () => {
    const text = await failureOf(
      explore(
        remembering(({ name }) => name),
        options,
      ),
    );
    expect(text).toContain('team-b has the text of another namespace');
    expect(text).toContain('  2. apply Note team-b/a {"text":"two"}');
  });

  test('is clean where the namespace is part of the key, and is judged in both', async () => {
    const { disturbances } = await explore(
      remembering(({ namespace, name }) => `${namespace}/${name}`),
      options,
    );
    expect(disturbances['kill']).toBeGreaterThan(0);
  });

  test('says which namespace exists already', async () => {
    const exploring = explore(
      remembering(({ name }) => name),
      { ...options, namespaces: ['default'] },
    );
    await expect(exploring).rejects.toThrow('the namespace default exists already: name another one in namespaces');
  });
});

describe('Pods that a story keeps', () => {
  const operatorOf = (marksOf: (generation: number) => Record<string, string>) =>
    defineOperator({
      name: 'web-operator',
      controllers: [
        defineController({
          name: 'webs',
          for: Note,
          owns: { deployments: Deployment },
          reconcile({ object: { metadata }, done }) {
            const labels = { app: metadata.name };
            const web = Deployment({
              metadata: { name: metadata.name },
              spec: {
                selector: { matchLabels: labels },
                template: {
                  metadata: { labels, annotations: marksOf(metadata.generation ?? 0) },
                  spec: { automountServiceAccountToken: false, containers: [{ name: 'web', image: 'web:1' }] },
                },
              },
            });
            return done({ owned: { deployments: [web] } });
          },
        }),
      ],
    });
  const options: ExploreOptions = {
    story: ({ apply, change }) => [apply(note('one')), change(Note, 'a', { metadata: { labels: { tier: 'cold' } } })],
    workloads: true,
    ignore: ['spec.template.metadata.annotations', 'metadata.annotations', 'status.conditions.*.message'],
    faults: { kills: false, oldStates: false, leases: false, requests: false },
  };

  test('are not replaced unseen', async () => {
    const rolling = operatorOf((generation) => ({ generation: String(generation) }));
    await explore(rolling, { ...options, seeds: 20 });
    const text = await failureOf(explore(rolling, { ...options, keeps: ['pods'], seeds: 20 }));
    expect(text).toMatch(/Pod a-\S+\* was deleted once, undisturbed never, and keeps has its resource/);
  });

  test('are no fault of an operator that keeps them', async () => {
    await explore(
      operatorOf(() => ({})),
      { ...options, keeps: ['pods'], seeds: 20 },
    );
  });

  test('must be of a resource that the story has', async () => {
    const exploring = explore(
      operatorOf(() => ({})),
      { ...options, keeps: ['Pod'], seeds: 1 },
    );
    await expect(exploring).rejects.toThrow(ExplorationSetupError);
    await expect(exploring).rejects.toThrow(/keeps: the story has no "Pod"; name one of its resources: .*pods/);
  });
});

test('an operator that gives up after some refusals in a row is found', async () => {
  const exploring = (most: number) => {
    const failures = new Map<string, number>();
    const controller = defineController({
      name: 'notes',
      for: Note,
      owns: { secrets: own(Secret, { verbs: ['create'] }) },
      async reconcile({ object: { metadata }, secrets, done }) {
        const { name, uid } = metadata;
        const before = failures.get(uid) ?? 0;
        if (secrets.get(name) !== undefined || before >= most) return done();
        failures.set(uid, before + 1);
        await secrets.create(Secret({ metadata: { name }, stringData: { a: 'b' } }));
        return done();
      },
    });
    return explore(defineOperator({ name: 'note-operator', controllers: [controller] }), {
      story: ({ apply }) => [apply(note('one'))],
      faults: { kills: false, oldStates: false, leases: false, watches: false, mistakes: false },
      seeds: 60,
    });
  };
  expect(await failureOf(exploring(3))).toMatch(/its write "create secrets\/a" is refused with \d+, and [2-9] more\n/);
  await exploring(Number.POSITIVE_INFINITY);
});
