import { defineOperator, settings, settingsOf, settingsTable } from 'keelson';
import { z } from 'zod';
import { Website } from '../../runtime/reconcile/website';

const run = (): void => undefined;
const config = settings(
  z.object({
    image: z.string().default('site:1').describe('Image of | sites.\nIt is pulled.'),
    mode: z.enum(['fast', 'safe']).default('safe'),
    kind: z.literal(['a', 'b']).optional(),
    level: z.literal([1, 2]).default(1),
    zones: z.array(z.string()).default(['a']),
    quote: z.string().default('`x`'),
    suffix: z.string().default(''),
    account: z.string(),
    token: z.string().default('a-default-that-is-a-secret'),
    password: z.string().optional(),
  }),
  { prefix: 'SITE_', secret: ['token', 'password'] },
);
const more = settings(z.object({ every: z.number().optional() }));
const operator = defineOperator({
  name: 'site-operator',
  customResources: [Website],
  checks: { up: { uses: { config }, run } },
  tasks: { sweep: { uses: { same: config, more }, run } },
});

test('settings of all parts are listed, each once, without defaults of secrets', () => {
  const listed = settingsOf(operator);
  expect(listed.map(({ group, variable }) => `${group} ${variable}`)).toEqual([
    'config SITE_IMAGE',
    'config SITE_MODE',
    'config SITE_KIND',
    'config SITE_LEVEL',
    'config SITE_ZONES',
    'config SITE_QUOTE',
    'config SITE_SUFFIX',
    'config SITE_ACCOUNT',
    'config SITE_TOKEN',
    'config SITE_PASSWORD',
    'more EVERY',
  ]);
  expect(listed[1]).toEqual({
    group: 'config',
    name: 'mode',
    variable: 'SITE_MODE',
    type: 'text',
    choices: ['fast', 'safe'],
    isRequired: false,
    isSecret: false,
    hasDefault: true,
    byDefault: 'safe',
  });
  expect(listed.find(({ name }) => name === 'level')).toMatchObject({ type: 'json', byDefault: 1 });
  expect(JSON.stringify(listed)).not.toContain('a-default-that-is-a-secret');
});

test('the table is Markdown, whatever defaults and descriptions hold', () => {
  expect(settingsTable(operator)).toBe(
    [
      '| variable | setting | type | default | description |',
      '| --- | --- | --- | --- | --- |',
      '| `SITE_IMAGE` | `image` | text | `site:1` | Image of \\| sites. It is pulled. |',
      '| `SITE_MODE` | `mode` | `fast`, `safe` | `safe` |  |',
      '| `SITE_KIND` | `kind` | `a`, `b` | none |  |',
      '| `SITE_LEVEL` | `level` | json | `1` |  |',
      '| `SITE_ZONES` | `zones` | json | `["a"]` |  |',
      '| `SITE_QUOTE` | `quote` | text | `` `x` `` |  |',
      '| `SITE_SUFFIX` | `suffix` | text | `""` |  |',
      '| `SITE_ACCOUNT` | `account` | text | must be given |  |',
      '| `SITE_TOKEN` | `token` | text, secret | not shown |  |',
      '| `SITE_PASSWORD` | `password` | text, secret | none |  |',
      '| `EVERY` | `every` | number | none |  |',
    ].join('\n'),
  );
  expect(settingsTable(defineOperator({ name: 'bare', customResources: [Website] }))).toBe('');
});
