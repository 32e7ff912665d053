import { immutable, int, list, object, string, type TransitionCase, withRule } from './transition-schemas.js';

/** Lists that merge, and values that no rule can read: what the API server finds equal. */
export const comparedCases: Readonly<Record<string, TransitionCase>> = {
  setOfDates: {
    schema: immutable(list({ ...string, format: 'date' }, 'set')),
    changes: [
      [['2026-01-01'], ['2026-01-01']],
      [['2026-01-01'], ['2026-01-02']],
    ],
  },
  setOfNumbers: {
    schema: immutable(list({ type: 'number' }, 'set')),
    changes: [
      [
        [1, 2.5],
        [2.5, 1],
      ],
      [
        [1.5, 2.5],
        [2.5, 1.5],
      ],
    ],
  },
  setOfWholeNumbers: {
    schema: immutable(list(int, 'set')),
    changes: [
      [
        [1, 2],
        [2, 1],
      ],
      [[1], [2]],
    ],
  },
  unionOfDates: {
    schema: withRule(list({ ...string, format: 'date' }, 'set'), '(self + oldSelf).size() == self.size()'),
    changes: [
      [['2026-01-01'], ['2026-01-01']],
      [['2026-01-01'], ['2026-01-02']],
    ],
  },
  unionOfNumbers: {
    schema: withRule(list({ type: 'number' }, 'set'), '(self + oldSelf).size() == self.size()'),
    changes: [
      [[1], [1]],
      [[1.5], [1.5]],
    ],
  },
  unionWithTwins: {
    schema: withRule(list(string, 'set'), "(self + ['z', 'z']).size() == self.size() + 1"),
    changes: [
      [['a'], ['b']],
      [['a'], ['z']],
    ],
  },
  smallLetters: {
    schema: immutable({ ...string, format: 'date-time' }),
    changes: [
      ['2026-01-31t12:00:00Z', '2026-01-31t12:00:00Z'],
      ['2026-01-31T12:00:00z', '2026-01-31T12:00:00Z'],
      ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00+00:00'],
    ],
  },
  smallLettersWithin: {
    schema: immutable(object({ x: { ...string, format: 'date-time' }, y: list({ ...string, format: 'date-time' }) })),
    changes: [
      [{ x: '2026-01-31t12:00:00Z' }, { x: '2026-01-31t12:00:00Z' }],
      [{ y: ['2026-01-31T12:00:00z'] }, { y: ['2026-01-31T12:00:00z'] }],
      [{ x: '2026-01-31T12:00:00Z' }, { x: '2026-01-31t12:00:00Z' }],
    ],
  },
  offsets: {
    schema: immutable({ ...string, format: 'date-time' }),
    changes: [
      ['2026-01-31T12:00:00-99:99', '2026-01-31T12:00:00-99:99'],
      ['2026-01-31T12:00:00+24:60', '2026-01-31T12:00:00+24:60'],
      ['2026-01-31T12:00:00+25:00', '2026-01-31T12:00:00+25:00'],
      ['2026-01-31T12:00:00-00:61', '2026-01-31T12:00:00-00:61'],
      ['2026-01-31T12:00:00+24:00', '2026-01-30T12:00:00Z'],
    ],
  },
  looseDurations: {
    schema: immutable({ ...string, format: 'duration' }),
    changes: [
      ['123e4567e89b12d3a456426614174000', '123e4567e89b12d3a456426614174000'],
      ['123e4567e89b12d3a456426614174000', '3ns'],
      ['1 day and 2 hours', '26h'],
      ['about 3 DAYS', '72h'],
      ['3 apples, 2 minutes', '2m'],
      ['9223372036854775807 weeks', '-168h'],
      ['3 days', '3\u00a0days'],
      ['0000000000000000000000001s', '1000ms'],
      ['1 wk', '1 wks'],
      ['2 seconds', '2sek 2 sec'],
    ],
  },
  bytesInRules: {
    schema: immutable({ ...string, format: 'byte' }),
    changes: [
      ['//host/x', '//host/x'],
      ['YWI+', 'YWI+'],
      ['YWJj', 'YWJj'],
      ['YWJj', 'YWJk'],
      ['YW==', 'YX=='],
      ['YWJj', 'YWI+'],
      ['YWJj', 'YWJ'],
    ],
  },
  bytesBesideRules: {
    schema: withRule(object({ a: { ...string, format: 'byte' }, b: string }), 'self.b == oldSelf.b'),
    changes: [
      [
        { a: 'YWI+', b: 'x' },
        { a: 'YWI/', b: 'x' },
      ],
      [
        { a: 'YWI+', b: 'x' },
        { a: 'YWI+', b: 'y' },
      ],
    ],
  },
  bytesThatAreThere: {
    schema: withRule(object({ a: { ...string, format: 'byte' } }), '!has(oldSelf.a) || has(self.a)'),
    changes: [
      [{ a: 'YWI+' }, { a: 'YWI+' }],
      [{ a: 'YWJj' }, { a: 'YWJj' }],
    ],
  },
  escapedKey: {
    schema: immutable({
      type: 'array',
      maxItems: 5,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['x-y'],
      items: object({ 'x-y': string, v: string }, { required: ['x-y'] }),
    }),
    changes: [
      [[{ 'x-y': 'a', v: 'x' }], [{ 'x-y': 'a', v: 'x' }]],
      [[{ 'x-y': 'a', v: 'x' }], [{ 'x-y': 'a', v: 'y' }]],
      [
        [{ 'x-y': 'a' }, { 'x-y': 'b' }],
        [{ 'x-y': 'a' }, { 'x-y': 'b' }],
      ],
      [
        [{ 'x-y': 'a' }, { 'x-y': 'b' }],
        [{ 'x-y': 'b' }, { 'x-y': 'a' }],
      ],
    ],
  },
};
