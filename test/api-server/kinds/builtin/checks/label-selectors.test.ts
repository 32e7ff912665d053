import {
  isEmptySelector,
  labelSelectorErrors,
  printedSelector,
  selects,
} from '../../../../../src/api-server/kinds/builtin/checks/index.js';
import { fieldErrorText, goJson, type LabelSelectorFields } from '../../../../../src/kubernetes/apimachinery/index.js';

const expression = (operator: string, values?: readonly string[]): LabelSelectorFields =>
  ({ matchExpressions: [{ key: 'a', operator, ...(values && { values }) }] }) as LabelSelectorFields;

test('a selector that is missing selects nothing, an empty one everything, one that cannot be read neither', () => {
  expect([selects(undefined, { a: 'b' }), selects(null), selects({}), selects({}, { a: 'b' })]).toEqual([false, false, true, true]);
  expect(selects(expression('Near', ['b']), { a: 'b' })).toBeUndefined();
});

test('all of a selector has to hold', () => {
  const selector = { matchLabels: { b: '1' }, ...expression('NotIn', ['x']) };
  expect([{ b: '1' }, { a: 'y', b: '1' }, { a: 'x', b: '1' }, { a: 'y' }].map((labels) => selects(selector, labels))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test.each<[LabelSelectorFields, readonly string[]]>([
  [{}, []],
  [expression('In', ['b']), []],
  [expression('Exists', []), []],
  [expression('In'), ["s.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'"]],
  [
    expression('DoesNotExist', ['b']),
    ["s.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"],
  ],
  [expression('Near', []), ['s.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator']],
])('%j is refused with %j', (selector, texts) => {
  expect(labelSelectorErrors(selector, 's').map(fieldErrorText)).toEqual(texts);
});

test('names and values of labels have their own form', () => {
  const errors = labelSelectorErrors({ matchLabels: { 'a b': '' }, ...expression('In', ['-', 'ok']) }, 's');
  expect(errors.map(({ field }) => field)).toEqual(['s.matchLabels', 's.matchExpressions[0].values[0]']);
});

test('messages print the fields in the order of Go, and leave empty ones out', () => {
  const selector = { ...expression('In', ['b']), matchLabels: { b: '1' } };
  expect(goJson(printedSelector(selector))).toBe(
    '{"matchLabels":{"b":"1"},"matchExpressions":[{"key":"a","operator":"In","values":["b"]}]}',
  );
  expect([goJson(printedSelector({ matchLabels: {} })), goJson(printedSelector(undefined))]).toEqual(['{}', 'null']);
  expect([isEmptySelector({ matchLabels: {} }), isEmptySelector(selector)]).toEqual([true, false]);
});
