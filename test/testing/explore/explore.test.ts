import { ExplorationError, type ExploreOptions, explore } from '@keelson/testing';
import { counter, defineController, defineCustomResource, defineOperator, external, k, merge, settings } from 'keelson';
import { ConfigMap, ServiceAccount } from 'keelson/kinds';
import { z } from 'zod';
import { ownSeeds } from './own-seeds.js';

const Note = defineCustomResource({
  group: 'explore.example.com',
  kind: 'Note',
  versions: {
    v1: { spec: z.object({ text: z.string(), size: k.int32().max(5).default(1) }), status: z.object({ length: k.int32().optional() }) },
  },
});
const notes = defineController({
  name: 'notes',
  for: Note,
  owns: { configs: ConfigMap },
  reconcile({ object: { metadata, spec }, done }) {
    const config = ConfigMap({ metadata: { name: metadata.name }, data: { text: spec.text } });
    return done({ owned: { configs: [config] }, status: { length: spec.text.length } });
  },
});
const operator = defineOperator({ name: 'note-operator', controllers: [notes] });
const note = (text: string) => Note({ metadata: { name: 'a' }, spec: { text } });

async function failureOf(exploration: Promise<unknown>): Promise<string> {
  const error: unknown = await exploration.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ExplorationError);
  return (error as Error).message;
}

ownSeeds();

test('an exploration that finds nothing says what was tried', async () => {
  const tried = await explore(operator, {
    story: ({ apply, change }) => [apply(note('hello')), change(Note, 'a', { spec: { text: 'bye' } })],
    seeds: 12,
    from: 5,
  });
  expect(tried).toMatchObject({ seeds: 12, from: 5 });
  expect(Object.keys(tried.disturbances).length).toBeGreaterThan(1);
});

test('settings, metrics and tasks with them are there, as in the process', async () => {
  const config = settings(z.object({ suffix: z.string().default('!'), prefix: z.string() }));
  const runs = counter('note_runs_total', 'Runs.');
  const seen: string[] = [];
  const using = defineOperator({
    name: 'note-operator',
    controllers: [
      defineController({
        name: 'notes',
        for: Note,
        uses: { config, runs },
        owns: { configs: ConfigMap },
        reconcile({ object: { metadata, spec }, config: { prefix, suffix }, runs, done }) {
          runs.inc({});
          const data = { text: `${prefix}${spec.text}${suffix}` };
          return done({ owned: { configs: [ConfigMap({ metadata: { name: metadata.name }, data })] } });
        },
      }),
    ],
    tasks: {
      once: {
        uses: { config, runs },
        run({ config: { prefix }, runs }) {
          runs.inc({});
          seen.push(prefix);
        },
      },
    },
  });
  await explore(using, {
    story: ({ apply }) => [apply(note('hello'))],
    values: [config.values({ prefix: '<' })],
    invariant: async ({ cluster }) => {
      const all = await cluster.list(ConfigMap);
      if (all.some(({ data }) => data?.['text']?.startsWith('<hello!') === false)) throw new Error('not as the settings say');
    },
    seeds: 2,
  });
  expect(seen).toContain('<');
});

test('an invariant that does not hold names what it says, in the shortest story', async () => {
  const text = await failureOf(
    explore(operator, {
      story: ({ apply, change, pass }) => [apply(note('hello')), pass('1m'), change(Note, 'a', { spec: { text: 'far too long' } })],
      invariant: async ({ cluster }) => {
        const [config] = await cluster.list(ConfigMap, { labels: {} }).then((all) => all.filter(({ metadata }) => metadata.name === 'a'));
        if ((config?.data?.['text']?.length ?? 0) > 8) throw new Error('the text of a is too long');
      },
    }),
  );
  expect(text).toMatch(
    /^undisturbed: the text of a is too long\nstory:\n {2}1\. apply Note a .*\n {2}3\. change Note a .*\nnothing is disturbed\n/,
  );
  expect(text).toContain('npx jest test/testing/explore/explore.test.ts');
});

test('the namespace of each run is a new one, with what every namespace has', async () => {
  const uids = new Map<string, string | undefined>();
  await explore(operator, {
    story: ({ apply }) => [apply(note('hello'))],
    invariant: async ({ cluster }) => {
      const account = await cluster.get(ServiceAccount, 'default');
      expect(account.metadata).toMatchObject({ name: 'default', namespace: expect.stringMatching(/^run-\d+$/) });
      const { namespace = '', uid } = account.metadata;
      // It is not made anew amid the run.
      expect(uids.get(namespace) ?? uid).toBe(uid);
      uids.set(namespace, uid);
    },
    judges: { fresh: false },
    seeds: 3,
  });
  expect(uids.size).toBe(4);
  expect(new Set(uids.values()).size).toBe(4);
});

test('a step that the API server refuses is named with the reason', async () => {
  const text = await failureOf(
    explore(operator, { story: ({ apply, change }) => [apply(note('hello')), change(Note, 'a', { spec: { size: 9 } })] }),
  );
  expect(text).toMatch(/step 2 of the story fails/);
  expect(text).toMatch(/spec\.size/);
});

test('an operator that remembers comes to another end than one that begins anew', async () => {
  const remembering = defineController({
    name: 'notes',
    for: Note,
    reconcile: ({ object: { spec, status }, done }) => done({ status: { length: Math.max(spec.text.length, status?.length ?? 0) } }),
  });
  const story: ExploreOptions = {
    story: ({ apply, change }) => [apply(note('a long text')), change(Note, 'a', { spec: { text: 'short' } })],
    seeds: 0,
  };
  const forgetful = defineOperator({ name: 'note-operator', controllers: [remembering] });
  expect(await failureOf(explore(forgetful, story))).toContain('made at once as this one ended');
  await explore(forgetful, { ...story, judges: { fresh: false } });
  await explore(forgetful, { ...story, ignore: ['status.length'] });
});

interface Clock {
  now(): Promise<number>;
}
const clock = external<Clock>();
const dated = defineController({
  name: 'dated',
  for: Note,
  uses: { clock },
  reconcile: async ({ clock, done }) => done({ status: merge({ length: await clock.now() }) }),
});
const datedOperator = defineOperator({ name: 'dated-operator', controllers: [dated] });

describe('a status that is empty', () => {
  const telling = (statusOf: (text: string) => { length?: number } | undefined) =>
    defineOperator({
      name: 'note-operator',
      controllers: [
        defineController({
          name: 'notes',
          for: Note,
          reconcile({ object: { spec }, done }) {
            const status = statusOf(spec.text);
            return status === undefined ? done() : done({ status });
          },
        }),
      ],
    });
  const story: ExploreOptions['story'] = ({ apply, change }) => [apply(note('hello')), change(Note, 'a', { spec: { text: '' } })];

  test('is as good as none: an operator that begins anew has nothing to take out of it', async () => {
    await explore(
      telling((text) => (text === '' ? {} : { length: text.length })),
      { story, seeds: 2 },
    );
  });

  test('is not as good as one that says something', async () => {
    const exploration = explore(
      telling((text) => (text === '' ? undefined : { length: text.length })),
      { story, seeds: 2 },
    );
    expect(await failureOf(exploration)).toContain('status.length: 5');
  });
});

test('faults of externals can be chosen', async () => {
  const options: ExploreOptions<{ readonly clock: Clock }> & { readonly externals: () => { readonly clock: Clock } } = {
    story: ({ apply }) => [apply(note('hello'))],
    externals: () => ({ clock: { now: async () => 7 } }),
    seeds: 60,
  };
  const text = await failureOf(explore(datedOperator, { ...options, faults: { wrongAnswers: true, emptyAnswers: false } }));
  expect(text).toContain('clock.now answers wrong');
  await explore(datedOperator, { ...options, seeds: 15, faults: { emptyAnswers: false } });
});

interface Board {
  put(text: string): void;
}
const board = external<Board>();
const written = defineController({
  name: 'written',
  for: Note,
  uses: { board },
  reconcile({ object, board, done }) {
    board.put(object.metadata.name);
    return done();
  },
});

test('a method of an external that answers without a promise fails by throwing: its caller awaits nothing', async () => {
  const { disturbances } = await explore(defineOperator({ name: 'board-operator', controllers: [written] }), {
    story: ({ apply }) => [apply(note('hello'))],
    externals: () => ({ board: { put: () => undefined } }),
    faults: { timeouts: false },
    seeds: 40,
  });
  expect(disturbances['external']).toBeGreaterThan(0);
});

test('externals that an operator needs must be made', () => {
  // @ts-expect-error `externals` is missing
  const missing = () => explore(datedOperator, { story: ({ apply }) => [apply(note('hello'))] });
  expect(missing).toBeInstanceOf(Function);
});
