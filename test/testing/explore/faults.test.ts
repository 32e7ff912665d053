import { type Exploration, ExplorationError, explore, type FaultChoice } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, external, k, own, watch } from 'keelson';
import { ConfigMap, Lease } from 'keelson/kinds';
import { z } from 'zod';
import { ownSeeds } from './own-seeds.js';

const Note = defineCustomResource({
  group: 'explore.example.com',
  kind: 'Note',
  versions: { v1: { spec: z.object({ text: z.string() }), status: z.object({ serial: k.int32().optional() }) } },
});
const note = (text: string) => Note({ metadata: { name: 'a' }, spec: { text } });
const configs = own(ConfigMap, { verbs: ['create'] });

interface Mistaken {
  readonly mistake: string;
  /** The fault that it takes. */
  readonly fault: keyof FaultChoice;
  /** In words. */
  readonly says: RegExp;
  readonly exploring: (faults: FaultChoice, seeds: number) => Promise<Exploration>;
}

/** A write whose answer is lost may have been done. */
const lostAnswer: Mistaken = {
  mistake: 'a child that is created once more when the first try fails',
  fault: 'requests',
  says: /the answer to its write "create configmaps\/a-\*" is lost; the write was done/,
  exploring: (faults, seeds) =>
    explore(
      defineOperator({
        name: 'twice-operator',
        controllers: [
          defineController({
            name: 'twice',
            for: Note,
            owns: { configs },
            async reconcile({ configs, done }) {
              const create = () => configs.create({ metadata: { generateName: 'a-' } } as never);
              if (configs.list().length === 0) await create().catch(create);
              return done();
            },
          }),
        ],
      }),
      { story: ({ apply }) => [apply(note('hello'))], faults, seeds },
    ),
};

/** A write that is refused has not been done, whatever the reason is. */
const refusedWrite: Mistaken = {
  mistake: 'a child that is taken for made although its creation was refused',
  fault: 'requests',
  says: /its write "create configmaps\/a" is refused with (?:409|429|500|503)/,
  exploring: (faults, seeds) =>
    explore(
      defineOperator({
        name: 'careless-operator',
        controllers: [
          defineController({
            name: 'careless',
            for: Note,
            owns: { configs },
            async reconcile({ configs, done }) {
              const config = ConfigMap({ metadata: { name: 'a' }, data: {} });
              if (configs.get('a') === undefined) await configs.create(config).catch(() => undefined);
              return done();
            },
          }),
        ],
      }),
      { story: ({ apply }) => [apply(note('hello'))], faults, seeds },
    ),
};

const led = defineController({ name: 'led', for: Note, reconcile: ({ done }) => done() });
const ledOperator = defineOperator({ name: 'led-operator', controllers: [led] });

/** Another process may take the Lease, and gives it back. */
const onlyLeader: Mistaken = {
  mistake: 'an application that counts on one leader for ever',
  fault: 'leases',
  says: /another process takes the Lease at the /,
  exploring: (faults, seeds) =>
    explore(ledOperator, {
      story: ({ apply, change, pass }) => [apply(note('hello')), change(Note, 'a', { spec: { text: 'bye' } }), pass('1m')],
      invariant: async ({ cluster }) => {
        const lease = await cluster.find(Lease, { name: 'led-operator', namespace: 'led-operator-system' });
        if ((lease?.spec?.leaseTransitions ?? 0) > 0) throw new Error('another one leads');
      },
      faults,
      seeds,
    }),
};

interface Registry {
  serial(): Promise<number>;
}
const registry = external<Registry>();

class FakeRegistry implements Registry {
  current = 1;

  async serial(): Promise<number> {
    return this.current;
  }
}

/** What somebody else has changed may be seen later. */
const staleAnswer: Mistaken = {
  mistake: 'a number of an external that is read once for each change of the object',
  fault: 'staleAnswers',
  says: /call of registry\.serial answers stale/,
  exploring: (faults, seeds) =>
    explore(
      defineOperator({
        name: 'serial-operator',
        controllers: [
          defineController({
            name: 'serials',
            for: Note,
            uses: { registry },
            async reconcile({ registry, done }) {
              const serial = await registry.serial();
              if (serial === 0) throw new Error('the registry is empty');
              return done({ status: { serial } });
            },
          }),
        ],
      }),
      {
        story: ({ apply, change, disturb }) => [
          apply(note('hello')),
          disturb('somebody else registers', ({ externals }) => {
            (externals.registry as FakeRegistry).current = 2;
          }),
          change(Note, 'a', { spec: { text: 'bye' } }),
        ],
        externals: () => ({ registry: new FakeRegistry() }),
        // Fakes of an object that is made at once have heard of no other registration.
        judges: { fresh: false },
        faults,
        seeds,
      },
    ),
};

interface Machine {
  read(): Promise<{ readonly phase: string }>;
  replace(): Promise<void>;
}
const machine = external<Machine>();

class FakeMachine implements Machine {
  made = 1;

  async read(): Promise<{ readonly phase: string }> {
    return { phase: 'Running' };
  }

  async replace(): Promise<void> {
    this.made += 1;
  }
}

/** A newer version of an external knows more words. */
const unknownAnswer: Mistaken = {
  mistake: 'a phase that nobody has heard of is taken for a failure',
  fault: 'unknownAnswers',
  says: /call of machine\.read answers with an unknown word/,
  exploring: (faults, seeds) =>
    explore(
      defineOperator({
        name: 'machine-operator',
        controllers: [
          defineController({
            name: 'machines',
            for: Note,
            uses: { machine },
            async reconcile({ machine, done }) {
              const { phase } = await machine.read();
              if (phase !== 'Running') await machine.replace();
              return done();
            },
          }),
        ],
      }),
      {
        story: ({ apply }) => [apply(note('hello'))],
        externals: () => ({ machine: new FakeMachine() }),
        outside: ({ machine }) => (machine as FakeMachine).made,
        faults,
        seeds,
      },
    ),
};

const ALL = [
  'kills',
  'requests',
  'oldStates',
  'watches',
  'leases',
  'timeouts',
  'failures',
  'emptyAnswers',
  'staleAnswers',
  'unknownAnswers',
  'mistakes',
  'breakdowns',
] as const satisfies readonly (keyof FaultChoice)[];

function only(fault: keyof FaultChoice): FaultChoice {
  return Object.fromEntries(ALL.filter((one) => one !== fault).map((one) => [one, false]));
}

ownSeeds();

describe.each([lostAnswer, refusedWrite, onlyLeader, staleAnswer, unknownAnswer])('$mistake', ({ fault, says, exploring }) => {
  test(`is found by ${fault} alone`, async () => {
    const error: unknown = await exploring(only(fault), 60).catch((thrown: unknown) => thrown);
    if (!(error instanceof ExplorationError)) throw error;
    expect(error.message).toMatch(says);
  });

  test(`is not found without ${fault}`, async () => {
    await exploring({ [fault]: false }, 10);
  });
});

test('a second replica is neither killed nor shown an old state when these faults are left out', async () => {
  const { disturbances } = await explore(ledOperator, {
    story: ({ apply, change }) => [apply(note('hello')), change(Note, 'a', { spec: { text: 'bye' } })],
    faults: only('leases'),
    seeds: 20,
  });
  expect(disturbances).toEqual({ steal: expect.any(Number) });
});

test('a title that is read from a cache once for each change of the object is found by watches alone: one of them says nothing any more', async () => {
  const copying = defineController({
    name: 'copying',
    for: Note,
    watches: { titles: watch(ConfigMap, { enqueue: () => [] }) },
    reconcile: ({ titles, done }) => done({ status: { serial: Number(titles.get('title')?.data?.['serial'] ?? 0) } }),
  });
  const exploring = explore(defineOperator({ name: 'copy-operator', controllers: [copying] }), {
    story: ({ apply, change }) => [
      apply(ConfigMap({ metadata: { name: 'title' }, data: { serial: '1' } })),
      apply(note('hello')),
      change(ConfigMap, 'title', { data: { serial: '2' } }),
      change(Note, 'a', { spec: { text: 'bye' } }),
    ],
    faults: only('watches'),
    seeds: 60,
  });
  await expect(exploring).rejects.toThrow('the watch of the operator falls silent at the ');
});
