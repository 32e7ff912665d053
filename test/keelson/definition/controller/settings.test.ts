import { reconcileOnce } from '@keelson/testing';
import { counter, DefinitionError, defineController, defineCustomResource, defineOperator, settings } from 'keelson';
import { z } from 'zod';
import { settingsFrom } from '../../../../src/keelson/definition/index.js';

const Site = defineCustomResource({ group: 'web.example.com', kind: 'Site', versions: { v1: { spec: z.object({}) } } });
const untyped = (value: unknown): never => value as never;
const config = settings(
  z.object({
    defaultImage: z.string().min(3).default('site:1'),
    workers: z.number().int().min(1).default(2),
    isFast: z.boolean().default(false),
    zones: z.array(z.string()).default([]),
    mode: z.enum(['a', 'b']).optional(),
    apiToken: z.string().min(8),
  }),
  { prefix: 'SITE_', secret: ['apiToken'] },
);
const TOKEN = { SITE_API_TOKEN: 'long-enough' };

function messageOf(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
}

test('defaults, and what the environment says', () => {
  expect(settingsFrom({ config }, TOKEN)).toEqual({
    config: { defaultImage: 'site:1', workers: 2, isFast: false, zones: [], apiToken: 'long-enough' },
  });
  const environment = {
    ...TOKEN,
    SITE_DEFAULT_IMAGE: 'site:2',
    SITE_WORKERS: '4',
    SITE_IS_FAST: 'true',
    SITE_ZONES: '["x"]',
    SITE_MODE: 'b',
  };
  expect(settingsFrom({ config }, environment)['config']).toEqual({
    defaultImage: 'site:2',
    workers: 4,
    isFast: true,
    zones: ['x'],
    mode: 'b',
    apiToken: 'long-enough',
  });
  expect(settingsFrom({ config }, { ...TOKEN, SITE_WORKERS: '' }, [config.values({ workers: 9 })])['config']).toMatchObject({ workers: 9 });
});

test('each variable that cannot be used is named, with its value unless that is a secret', () => {
  const environment = {
    SITE_DEFAULT_IMAGE: 'x',
    SITE_WORKERS: 'many',
    SITE_IS_FAST: 'yes',
    SITE_ZONES: '[',
    SITE_MODE: 'c',
    SITE_API_TOKEN: 'hush',
  };
  const message = messageOf(() => settingsFrom({ config }, environment));
  expect(message.split('\n').map((line) => line.replace(/: (Too|Invalid).*/, ': ...'))).toEqual([
    'settings cannot be used:',
    "  SITE_WORKERS: 'many' is not usable: write a number",
    "  SITE_IS_FAST: 'yes' is not usable: write true or false",
    "  SITE_ZONES: '[' is not usable: write JSON",
    "  SITE_DEFAULT_IMAGE: 'x' is not usable: ...",
    "  SITE_MODE: 'c' is not usable: ...",
    '  SITE_API_TOKEN: its value, a secret, is not usable',
  ]);
  expect(messageOf(() => settingsFrom({ config }, {}))).toContain('SITE_API_TOKEN is not set: ');
});

test.each<[string, () => unknown, string]>([
  ['what is not an object', () => settings(untyped(z.string())), 'settings: 1 problem\n  schema: is not a z.object({ ... })'],
  ['no schema', () => settings(untyped(undefined)), 'settings: 1 problem\n  schema: is not a z.object({ ... })'],
  [
    'two settings of one variable',
    () => settings(z.object({ aB: z.string(), a_b: z.string() })),
    'settings: 1 problem\n  a_b: makes the variable A_B, as aB does; choose another name',
  ],
  [
    'a variable that is taken',
    () => settings(z.object({ podName: z.string() })),
    'settings: 1 problem\n  podName: makes the variable POD_NAME, which is taken; choose another name, or a prefix',
  ],
  [
    'a secret that is not there',
    () => settings(z.object({ a: z.string() }), { secret: untyped(['b']) }),
    "settings: 1 problem\n  secret: 'b' is not a setting",
  ],
])('%s is refused', (_, make, message) => {
  expect(() => make()).toThrow(DefinitionError);
  expect(messageOf(make)).toBe(message);
});

test('a number has the bounds that it declares, the narrowest of several', () => {
  const { fields } = settings(
    z.object({
      any: z.number(),
      whole: z.int(),
      unsigned: z.uint32().max(9),
      narrow: z.number().min(1).min(3).max(9).max(7),
      open: z.number().gt(0).lt(1),
      wrapped: z.number().min(2).optional().nonoptional(),
    }),
  );
  // Whole numbers of JavaScript and of 32 bits end where zod ends them.
  expect(Object.fromEntries(fields.map(({ name, bounds }) => [name, bounds]))).toEqual({
    any: undefined,
    whole: { isInteger: true },
    unsigned: { isInteger: true, minimum: 0, maximum: 9 },
    narrow: { minimum: 3, maximum: 7 },
    open: { exclusiveMinimum: 0, exclusiveMaximum: 1 },
    wrapped: { minimum: 2 },
  });
});

test('one variable holds one setting in an operator', () => {
  const using = (name: string, other: typeof config) =>
    defineController({ name, for: Site, uses: { [name]: other }, reconcile: ({ done }) => done() });
  const twin = settings(z.object({ workers: z.number() }), { prefix: 'SITE_' });
  expect(messageOf(() => defineOperator({ name: 'op', controllers: [using('a', config), using('b', config)] }))).toBe('accepted');
  expect(messageOf(() => defineOperator({ name: 'op', controllers: [using('a', config), using('b', untyped(twin))] }))).toBe(
    'operator op: 1 problem\n  controllers[1].uses.b: the variable SITE_WORKERS holds a setting of controllers[0].uses.a too; export one const, or give a prefix',
  );
});

test.each([
  ['12', 12],
  ['-0.5', -0.5],
  ['1e10', 1e10],
  ['2.5E-10', 2.5e-10],
  ['1e', undefined],
  ['.5', undefined],
  ['0x10', undefined],
  ['1 000', undefined],
])('the number %s of the environment', (text, value) => {
  const read = () => settingsFrom({ config: settings(z.object({ ratio: z.number() })) }, { RATIO: text });
  if (value === undefined) expect(messageOf(read)).toContain('write a number');
  else expect(read()).toEqual({ config: { ratio: value } });
});

test('what is no setting holds no variable', () => {
  const uses = { runs: counter('site_runs_total', 'Runs.'), errors: counter('site_errors_total', 'Errors.') };
  const controllers = [defineController({ name: 'a', for: Site, uses, reconcile: ({ done }) => done() })];
  expect(messageOf(() => defineOperator({ name: 'op', controllers }))).toBe('accepted');
});

test('reconcileOnce fills in the defaults, and asks for what has none', async () => {
  let seen: unknown;
  const controller = defineController({
    name: 'site',
    for: Site,
    uses: { config },
    reconcile({ config: { workers, apiToken }, done }) {
      seen = [workers, apiToken];
      return done();
    },
  });
  const object = { metadata: { name: 'a' } };
  await reconcileOnce(controller, { object, config: { apiToken: 'long-enough' } });
  expect(seen).toEqual([2, 'long-enough']);
  await expect(reconcileOnce(controller, { object })).rejects.toThrow("controller site uses the settings 'config': apiToken: ");
});
