import { defineController, defineCustomResource, select } from 'keelson';
import { z } from 'zod';
import { joinedSelectors, selectedBy, selectorProblem } from '../../../../src/keelson/definition/index.js';

const Site = defineCustomResource({
  group: 'a.example.com',
  kind: 'Site',
  versions: { v1: { spec: z.object({ className: z.string() }), selectableFields: ['.spec.className'] } },
});
const all = defineController({ name: 'sites', for: Site, reconcile: ({ done }) => done() });
const some = defineController({
  name: 'sites',
  for: select(Site, { labels: { tier: 'gold' }, fields: { 'spec.className': 'a' } }),
  reconcile: ({ done }) => done(),
});

test('without a selector a controller is for all objects', () => {
  expect(selectedBy(all, {})).toBeUndefined();
  expect(selectedBy(all, { selector: '', fieldSelector: '' })).toBeUndefined();
});

test('the selector of an installation narrows what the definition selects', () => {
  expect(selectedBy(all, { selector: 'class=a' })).toEqual({ labelSelector: { matchLabels: { class: 'a' } } });
  expect(selectedBy(some, { selector: 'class in (a,b),!old,new,tier!=gold' })).toEqual({
    labels: { tier: 'gold' },
    labelSelector: {
      matchExpressions: [
        { key: 'class', operator: 'In', values: ['a', 'b'] },
        { key: 'new', operator: 'Exists' },
        { key: 'old', operator: 'DoesNotExist' },
        { key: 'tier', operator: 'NotIn', values: ['gold'] },
      ],
    },
    fields: { 'spec.className': 'a' },
  });
  expect(selectedBy(all, { fieldSelector: 'spec.className=' })).toMatchObject({ fields: { 'spec.className': '' } });
});

test('one label with two values selects nothing, and neither value is lost', () => {
  expect(selectedBy(all, { selector: 'class=a,class=b' })?.labelSelector?.matchExpressions).toHaveLength(2);
  expect(joinedSelectors({ matchLabels: { class: 'a' } }, { matchLabels: { class: 'b' } })).toEqual({
    matchLabels: { class: 'a' },
    matchExpressions: [{ key: 'class', operator: 'In', values: ['b'] }],
  });
});

test.each([
  [{ selector: 'class=a b' }, 'selector', 'is not a label selector'],
  [{ selector: 'a b=c' }, 'selector', 'is not a label selector'],
  [{ selector: ',' }, 'selector', ''],
  [{ selector: 'size>3' }, 'selector', 'compares size by size'],
  [{ fieldSelector: 'spec.className' }, 'fieldSelector', 'is not a field selector'],
  [{ fieldSelector: ',' }, 'fieldSelector', 'selects every object; leave it out'],
  [
    { fieldSelector: 'spec.className!=a' },
    'fieldSelector',
    'leaves out a value of spec.className; write spec.className=value, or spec.className= for',
  ],
  [{ fieldSelector: 'spec.className=a,spec.className=b' }, 'fieldSelector', 'gives spec.className two values, which no object has'],
  [
    { fieldSelector: 'spec.size=1' },
    'fieldSelector',
    'controller sites: spec.size is not a selectable field of Site, which has spec.className',
  ],
  [
    { fieldSelector: 'spec.className=b' },
    'fieldSelector',
    "controller sites: spec.className is 'a' for every object that the controller is for",
  ],
])('%j is refused', (selectors, part, message) => {
  expect(selectorProblem(selectors, [all, some])).toMatchObject({ part, message: expect.stringContaining(message) });
});

test.each([{}, { selector: 'class=a' }, { selector: 'class notin (a),b' }, { fieldSelector: 'spec.className=a' }])(
  '%j is taken',
  (selectors) => {
    expect(selectorProblem(selectors, [all, some])).toBeUndefined();
  },
);
