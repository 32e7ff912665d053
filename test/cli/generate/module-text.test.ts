import { importKinds } from '../../../src/cli/index.js';
import { crd, source } from '../import/crd-text.js';

const typesOf = (properties: string, options = {}) => importKinds([source(crd(properties))], options).modules[0]?.text ?? '';

test('a CRD becomes interfaces and a kind', () => {
  const text = typesOf(
    `{ size: { type: integer, description: How many. }, defaulted: { type: string, default: a },
       mode: { type: string, enum: [Fast, 'Slow"''', ''] }, level: { type: integer, enum: [1, 2], nullable: true },
       port: { x-kubernetes-int-or-string: true }, cpu: { x-kubernetes-int-or-string: true, pattern: '^[0-9]*([numkMGTPE])?$' },
       labels: { type: object, additionalProperties: { type: string } }, free: { type: object, x-kubernetes-preserve-unknown-fields: true },
       json: { x-kubernetes-preserve-unknown-fields: true }, since: { type: string, format: date-time, nullable: true },
       items: { type: array, items: { type: object, required: [x-y], properties: { x-y: { type: boolean }, 2nd: { type: number } } } },
       open: { type: object, x-kubernetes-preserve-unknown-fields: true, properties: { known: { type: string } } },
       modes: { type: array, items: { type: string, enum: [a, b] } },
       child: { type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true } }`,
  );
  expect(text).toMatchSnapshot();
});

test('descriptions are left out unless asked for, and cannot end the comment that carries them', () => {
  const properties = "{ size: { type: integer, description: 'Ends here: */ alert()' }, defaulted: { type: string } }";
  expect(typesOf(properties)).not.toContain('Ends here');
  expect(typesOf(properties, { descriptions: true })).toContain('/** Ends here: *\\/ alert() */');
});

test('nested types whose names would clash are told apart', () => {
  const text = typesOf(
    '{ a-b: { type: object, properties: { x: { type: string } } }, aB: { type: object, properties: { "y": { type: string } } } }',
  );
  expect(text).toMatch(
    /'a-b'\?: WidgetSpecAB \|[\s\S]*aB\?: WidgetSpecAB2 \|[\s\S]*interface WidgetSpecAB \{\n {2}readonly x[\s\S]*interface WidgetSpecAB2 \{\n {2}readonly y/,
  );
});

test('a kind may be called like a global type', () => {
  const { modules } = importKinds([
    source(crd('{ labels: { type: object, additionalProperties: { type: string } } }', { kind: 'Record' })),
  ]);
  expect(modules[0]?.text).toContain('labels?: { readonly [key: string]: string } | undefined;');
});
