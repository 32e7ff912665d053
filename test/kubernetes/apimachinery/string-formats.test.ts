import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasFormat, isKnownFormat, KNOWN_FORMATS } from '../../../src/kubernetes/apimachinery/index.js';
import { workOf } from '../../work/work-of.js';

/** What kube-openapi of Kubernetes accepts of these texts, recorded by a program that calls it. */
const { texts, accepted } = JSON.parse(readFileSync(join(__dirname, 'golden/string-formats.json'), 'utf8')) as {
  texts: string[];
  accepted: Record<string, string[]>;
};

test.each(Object.entries(accepted))('%s accepts what Go accepts', (format, expected) => {
  expect(texts.filter((text) => hasFormat(format, text))).toEqual(expected);
});

test('every format that the API server knows was asked', () => {
  expect(KNOWN_FORMATS.map((name) => name.replace('date-time', 'datetime')).sort()).toEqual(Object.keys(accepted).sort());
});

test('date-time and datetime are one format, formats of numbers are ignored', () => {
  expect(hasFormat('date-time', 'x')).toBe(false);
  expect(isKnownFormat('int32')).toBe(false);
  expect(hasFormat('int32', 'x')).toBe(true);
});

/** Formats judge what users send: a hostile text must not cost more than its length. */
test.each(KNOWN_FORMATS)('%s judges a long text in no time', (format) => {
  const work = workOf(() => {
    for (const part of ['a', '1', 'a.', '1:', '(', '"', '<', 'a b ', '1s', '%', ',']) {
      hasFormat(format, `${part.repeat(50_000)}!`);
      hasFormat(format, `${part.repeat(50_000)}@`);
    }
  });
  expect(work).toBeLessThan(2000);
});

/** As long as the body of a request may be: the engine of patterns keeps repetitions of groups on a stack, and throws where it is full. */
test.each(KNOWN_FORMATS)('%s judges a text of three megabytes', (format) => {
  for (const part of ['a.', '0.', '1h', '0h', 'é', 'a@', '1,', 'aa==', 'ff:'])
    expect(typeof hasFormat(format, part.repeat(3_000_000 / part.length))).toBe('boolean');
});
