import {
  comparePathElements,
  fieldElement,
  fieldPath,
  indexElement,
  keyElement,
  type PathElement,
  parsePathElement,
  pathText,
  valueElement,
} from '../../../../src/api-server/values/apply/index.js';

const elements: readonly (readonly [id: string, text: string, element: PathElement])[] = [
  ['f:replicas', '.replicas', fieldElement('replicas')],
  ['f:kubectl.kubernetes.io/x', '.kubectl.kubernetes.io/x', fieldElement('kubectl.kubernetes.io/x')],
  ['f:', '.', fieldElement('')],
  ['k:{"name":"c"}', '[name="c"]', keyElement([['name', 'c']])],
  [
    'k:{"containerPort":80,"protocol":"TCP"}',
    '[containerPort=80,protocol="TCP"]',
    keyElement([
      ['protocol', 'TCP'],
      ['containerPort', 80],
    ]),
  ],
  ['v:"example.com/a"', '[="example.com/a"]', valueElement('example.com/a')],
  ['v:"\\u003c\\u0026\\u003e"', '[="<&>"]', valueElement('<&>')],
  ['v:"\\u0008\\\\b\\n"', '[="\\b\\\\b\\n"]', valueElement('\b\\b\n')],
  ['v:1', '[=1]', valueElement(1)],
  // A number out of a stored set is a float64 in Go.
  ['v:1000000', '[=1e+06]', valueElement(1_000_000)],
  ['v:true', '[=true]', valueElement(true)],
  ['i:3', '[3]', indexElement(3)],
];

test.each(elements)('%s', (id, text, element) => {
  expect(element.id).toBe(id);
  expect(parsePathElement(id)).toEqual(element);
  expect(pathText([element])).toBe(text);
});

test('a key is spelled in one way, however it was written', () => {
  expect(parsePathElement('k:{ "protocol": "TCP", "containerPort": 80 }')?.id).toBe('k:{"containerPort":80,"protocol":"TCP"}');
});

test('an element of a kind that a later version may bring is dropped, a broken one is refused', () => {
  expect(parsePathElement('z:1')).toBeUndefined();
  expect(() => parsePathElement('f')).toThrow('key must be 2 characters long:');
  expect(() => parsePathElement('name')).toThrow('missing colon: name');
  expect(() => parsePathElement('k:[1]')).toThrow('k:[1] holds no keys');
  expect(() => parsePathElement('v:x')).toThrow('v:x holds no value');
  expect(() => parsePathElement('i:x')).toThrow('i:x holds no index');
});

test('elements come in the order of the server: fields, keys, values, indexes; numbers before strings before booleans', () => {
  const ordered = [
    fieldElement('B'),
    fieldElement('a'),
    // By bytes of UTF-8, where JavaScript would put the second first.
    fieldElement('\uffee'),
    fieldElement('\u{1f600}'),
    keyElement([['a', 2]]),
    keyElement([
      ['a', 2],
      ['b', 1],
    ]),
    keyElement([['a', 10]]),
    keyElement([['a', '10']]),
    keyElement([['b', 0]]),
    valueElement(-1),
    valueElement(9),
    valueElement(10),
    valueElement('1'),
    valueElement(false),
    valueElement(true),
    valueElement([1]),
    valueElement([1, 0]),
    valueElement({ a: 1 }),
    valueElement({ a: 2 }),
    valueElement(null),
    indexElement(2),
    indexElement(10),
  ];
  const shuffled = [...ordered].sort((left, right) => (left.id < right.id ? 1 : -1));
  expect(shuffled.sort(comparePathElements).map(({ id }) => id)).toEqual(ordered.map(({ id }) => id));
});

test('a path as messages print it', () => {
  const path = [...fieldPath('spec', 'template', 'spec', 'containers'), keyElement([['name', 'c']]), fieldElement('image')];
  expect(pathText(path)).toBe('.spec.template.spec.containers[name="c"].image');
});
