import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  fieldSelectorText,
  type LabelSelectorFields,
  labelRequirementsOf,
  labelSelectorProblem,
  labelSelectorText,
  matchesFields,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
  selectsLabels,
} from '../../../src/kubernetes/apimachinery/index.js';
import { cpuMs } from '../../work/work-of.js';

interface Recorded {
  readonly text: string;
  readonly problem?: string;
  /** The selector as Go prints it. */
  readonly parsed?: string;
  /** A digit for each of the sets. */
  readonly matches?: string;
}

/** What apimachinery of Kubernetes makes of these selectors, recorded by a program that calls it. */
const recorded = JSON.parse(readFileSync(join(__dirname, 'golden/selectors.json'), 'utf8')) as {
  readonly sets: readonly Record<string, string>[];
  readonly labels: readonly Recorded[];
  readonly objects: readonly (Recorded & { readonly selector: LabelSelectorFields })[];
  readonly fieldSets: readonly Record<string, string>[];
  readonly fields: readonly Recorded[];
};

const verdict = (parsed: string, matches: readonly boolean[]) => ({
  ...(parsed === '' ? {} : { parsed }),
  matches: matches.map(Number).join(''),
});

const ofLabels = (selector: ReturnType<typeof parseLabelSelector>) =>
  'problem' in selector
    ? selector
    : verdict(
        labelSelectorText(selector.requirements),
        recorded.sets.map((labels) => matchesLabels(selector.requirements, labels)),
      );

test.each(recorded.labels.map(({ text, ...expected }) => [text, expected] as const))('label selector %j', (text, expected) => {
  expect(ofLabels(parseLabelSelector(text))).toEqual(expected);
});

test.each(recorded.objects.map(({ selector, text: _, ...expected }) => [selector, expected] as const))(
  'LabelSelector %j',
  (selector, expected) => {
    expect(ofLabels(labelRequirementsOf(selector))).toEqual(expected);
  },
);

test.each(recorded.fields.map(({ text, ...expected }) => [text, expected] as const))('field selector %j', (text, expected) => {
  const selector = parseFieldSelector(text);
  const actual =
    'problem' in selector
      ? selector
      : verdict(
          fieldSelectorText(selector.requirements),
          recorded.fieldSets.map((fields) => matchesFields(selector.requirements, (field) => fields[field] ?? '')),
        );
  expect(actual).toEqual(expected);
});

test('names that objects inherit are not labels', () => {
  const selector = parseLabelSelector('toString');
  expect('requirements' in selector && matchesLabels(selector.requirements, {})).toBe(false);
});

test('an empty selector selects everything; none, and one that is refused, nothing', () => {
  const labels = { app: 'a' };
  expect(selectsLabels({}, undefined)).toBe(true);
  expect(selectsLabels({ matchLabels: labels }, labels)).toBe(true);
  expect(selectsLabels({ matchLabels: labels }, undefined)).toBe(false);
  expect(selectsLabels(undefined, labels)).toBe(false);
  const empty = { matchExpressions: [{ key: 'app', operator: 'NotIn', values: [] }] };
  expect(selectsLabels(empty, labels)).toBe(false);
  expect(labelSelectorProblem(empty)).toContain("values set can't be empty");
  expect(labelSelectorProblem({ matchLabels: labels })).toBeUndefined();
});

/** Selectors are what users send: a hostile text must not cost more than its length. */
test('what a text costs grows with its length, not faster', () => {
  const parts = ['a', ',', 'a,', 'a in (x),', '(', '!', '=', ' ', '\\', 'a=b,', 'a\\,', '9'];
  const judge = (length: number): number =>
    cpuMs(() => {
      for (const part of parts) {
        parseLabelSelector(part.repeat(length));
        parseLabelSelector(`a in (${part.repeat(length)}`);
        parseLabelSelector(`a>${part.repeat(length)}`);
        parseFieldSelector(part.repeat(length));
      }
    });
  const least = (length: number): number => Math.min(judge(length), judge(length), judge(length));
  judge(1_000);
  // Eight times the text: eight times the cost if it is linear, sixty-four times if it is quadratic.
  expect(least(20_000) / least(2_500)).toBeLessThan(30);
});
