import { counter, defineController, defineCustomResource, defineOperator, gauge, histogram } from 'keelson';
import { z } from 'zod';
import { problemsOf } from '../refusals.js';

const Site = defineCustomResource({ group: 'web.example.com', kind: 'Site', versions: { v1: { spec: z.object({}) } } });
const untyped = (value: unknown): never => value as never;
const using = (name: string, uses: object) => defineController({ name, for: Site, uses: untyped(uses), reconcile: ({ done }) => done() });

test('a metric is a plain value', () => {
  expect(gauge('sites', 'Sites by state.', ['state'])).toEqual({
    sort: 'metric',
    type: 'gauge',
    name: 'sites',
    help: 'Sites by state.',
    labels: ['state'],
    maxSeries: 1000,
  });
  expect(histogram('site_seconds', 'Duration.', [], { buckets: [1, 2], maxSeries: 5 })).toMatchObject({ buckets: [1, 2], maxSeries: 5 });
});

test.each<[string, () => unknown, readonly string[]]>([
  ['a space', () => gauge('a b', 'Help.'), ["name: 'a b' must be letters, digits and '_', and not begin with a digit"]],
  [
    'a colon, which is for recording rules',
    () => gauge('a:b', 'Help.'),
    ["name: 'a:b' must be letters, digits and '_', and not begin with a digit"],
  ],
  ['a digit first', () => gauge('1a', 'Help.'), ["name: '1a' must be letters, digits and '_', and not begin with a digit"]],
  ['no name', () => gauge(untyped(undefined), 'Help.'), ['name: is 0; write a text']],
  [
    "the runtime's own",
    () => gauge('keelson_a', 'Help.'),
    ["name: 'keelson_...' is for metrics of the runtime's own; choose another name"],
  ],
  ['a counter without _total', () => counter('a', 'Help.'), ["name: of a counter ends with '_total'; write 'a_total'"]],
  ['a gauge with _total', () => gauge('a_total', 'Help.'), ["name: ends with '_total', which is for counters"]],
  ['a suffix of histograms', () => histogram('a_sum', 'Help.'), ["name: ends with '_sum', which Prometheus writes itself; leave it out"]],
  ['no help', () => gauge('a', ' '), ['help: is not one line; write a sentence']],
  ['labels that are a text', () => gauge('a', 'Help.', untyped('state')), ["labels: is 'state'; write a list: [ ... ]"]],
  [
    'a label of Prometheus',
    () => gauge('a', 'Help.', ['__name__']),
    ["labels[0]: '__name__' must be letters, digits and '_', and not begin with a digit or '__'"],
  ],
  ['a label twice', () => gauge('a', 'Help.', ['b', 'b']), ["labels[1]: 'b' is named twice"]],
  ['the label of ranges', () => histogram('a', 'Help.', ['le']), ["labels[0]: 'le' is the label of a histogram's ranges; choose another"]],
  [
    'ranges that fall',
    () => histogram('a', 'Help.', [], { buckets: [2, 1] }),
    ['buckets: are not numbers in ascending order, at least one'],
  ],
  ['ranges of a gauge', () => gauge('a', 'Help.', [], untyped({ buckets: [1] })), ['buckets: are for histograms; leave them out']],
  [
    'no bound',
    () => gauge('a', 'Help.', [], { maxSeries: Number.POSITIVE_INFINITY }),
    ['maxSeries: is Infinity; write a whole number from 1 to 100000'],
  ],
  [
    'an option that is unknown',
    () => gauge('a', 'Help.', [], untyped({ max: 1 })),
    ['max: is not an option of a metric; known are maxSeries, buckets'],
  ],
])('%s is refused', (_, make, problems) => {
  expect(problemsOf(make)).toEqual(problems);
});

test('one name is one metric in an operator', () => {
  const [one, other] = [gauge('sites', 'Sites.'), gauge('sites', 'Other sites.')];
  expect(problemsOf(() => defineOperator({ name: 'op', controllers: [using('a', { one }), using('b', { one })] }))).toEqual([]);
  expect(problemsOf(() => defineOperator({ name: 'op', controllers: [using('a', { one }), using('b', { other })] }))).toEqual([
    'controllers[1].uses.other: the metric sites is declared at controllers[0].uses.one too; export one const',
  ]);
});
