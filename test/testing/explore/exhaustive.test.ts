import { ExplorationError, type ExploreOptions, explore } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, own } from 'keelson';
import { Secret } from 'keelson/kinds';
import { z } from 'zod';
import { ownSeeds } from './own-seeds.js';

const Account = defineCustomResource({
  group: 'exhaustive.example.com',
  kind: 'Account',
  versions: { v1: { spec: z.object({}) } },
});
const secret = (name: string) => Secret({ metadata: { name }, stringData: { a: 'b' } });
const accounts = { name: 'accounts', for: Account, owns: { secrets: own(Secret, { verbs: ['create'] }) }, writesStatus: false } as const;

/** The second Secret is made only together with the first. */
const hasty = defineController({
  ...accounts,
  async reconcile({ object: { metadata }, secrets, done }) {
    if (secrets.get(`${metadata.name}-public`) === undefined) {
      await secrets.create(secret(`${metadata.name}-public`));
      await secrets.create(secret(`${metadata.name}-private`));
    }
    return done();
  },
});

/** Gives up when writes of an object have failed so often. */
const impatient = (most: number) => {
  const failures = new Map<string, number>();
  return defineController({
    ...accounts,
    async reconcile({ object: { metadata }, secrets, done }) {
      const { name, uid } = metadata;
      if (secrets.get(name) !== undefined || (failures.get(uid) ?? 0) >= most) return done();
      try {
        await secrets.create(secret(name));
      } catch (error) {
        failures.set(uid, (failures.get(uid) ?? 0) + 1);
        throw error;
      }
      return done();
    },
  });
};

const exploring = (controller: ReturnType<typeof defineController>, options: Partial<ExploreOptions>) =>
  explore(defineOperator({ name: 'account-operator', controllers: [controller] }), {
    story: ({ apply }) => [apply(Account({ metadata: { name: 'a' }, spec: {} }))],
    faults: { leases: false, watches: false },
    ...options,
  });

async function failureOf(exploration: Promise<unknown>): Promise<string> {
  const error: unknown = await exploration.catch((thrown: unknown) => thrown);
  if (!(error instanceof ExplorationError)) throw error;
  return error.message;
}

ownSeeds();
afterEach(() => {
  delete process.env['KEELSON_EXPLORE'];
});

test('every single fault is played, and what that proves is said', async () => {
  const { proves, seeds, disturbances } = await exploring(impatient(2), { exhaustive: 'singles' });
  expect(proves).toMatch(/^from every single fault at its one write and at each of the \d+ changes of objects it comes to the same end$/);
  expect(seeds).toBe(Object.values(disturbances).reduce((sum, count) => sum + count, 0));
  expect(disturbances).toMatchObject({ lose: 1, refuse: 4 });
});

test('a part proves nothing', async () => {
  const { proves, seeds, from } = await exploring(impatient(2), { exhaustive: 'singles', seeds: 2, from: 3 });
  expect({ proves, seeds, from }).toEqual({ proves: undefined, seeds: 2, from: 3 });
});

test('the one write after which a kill is fatal is found', async () => {
  const text = await failureOf(exploring(hasty, { exhaustive: 'singles' }));
  expect(text).toContain('the operator is killed right after its write "create secrets/a-public"');
});

test('a mistake that one fault does not show is found by pairs, and played again by its number', async () => {
  await exploring(impatient(2), { exhaustive: 'singles' });
  const text = await failureOf(exploring(impatient(2), { exhaustive: 'pairs' }));
  expect(text).toMatch(/its write "create secrets\/a" is refused with 409\n.*its write "create secrets\/a" number 2 is refused/);
  process.env['KEELSON_EXPLORE'] = /KEELSON_EXPLORE=(\S+)/.exec(text)?.[1] ?? '';
  expect(process.env['KEELSON_EXPLORE']).toMatch(/^account-operator:\d{7,}$/);
  expect(await failureOf(exploring(impatient(2), { exhaustive: 'pairs' }))).toBe(text);
});

test('an operator that bears two faults is clean', async () => {
  const { proves } = await exploring(impatient(Number.POSITIVE_INFINITY), { exhaustive: 'pairs' });
  expect(proves).toMatch(/^from every single fault, and every pair of faults, at its one write/);
});
