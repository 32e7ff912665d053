import { type Life, life, NAMESPACE, objectRequests } from './life.js';

const GROUP = 'lives.example.com';
const definition = objectRequests({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  name: `boats.${GROUP}`,
  isClusterWide: true,
});
const boat = objectRequests({ apiVersion: `${GROUP}/v1`, kind: 'Boat', plural: 'boats', name: 'red' });
const boats = `/apis/${GROUP}/v1/namespaces/${NAMESPACE}/boats`;

const schema = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['length'],
      properties: {
        length: { type: 'integer', minimum: 1 },
        sails: { type: 'integer', default: 1 },
        flags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      },
    },
    status: { type: 'object', properties: { afloat: { type: 'boolean' } } },
  },
};

/** A definition from its first request to its last, with an object of its kind. */
export const definitionLives: readonly Life[] = [
  life(
    'a definition, its objects, and their end',
    {
      ...definition.create({
        spec: {
          group: GROUP,
          scope: 'Namespaced',
          names: { kind: 'Boat', plural: 'boats', shortNames: ['bt'] },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: schema },
              subresources: { status: {}, scale: { specReplicasPath: '.spec.sails', statusReplicasPath: '.status.afloat' } },
              additionalPrinterColumns: [{ name: 'Length', type: 'integer', jsonPath: '.spec.length' }],
            },
          ],
        },
      }),
    },
    { ...definition.get(), until: '"type":"Established","status":"True"' },
    // Served a moment after it is established.
    { method: 'GET', path: boats, until: '"kind":"BoatList"' },
    boat.create({ spec: { length: 7, flags: ['nl', 'fr'], unknown: true } }),
    boat.create({ spec: { length: 7 } }),
    boat.get(),
    boat.merge({ spec: { length: 8, sails: null } }),
    boat.json({ op: 'test', path: '/spec/length', value: 8 }, { op: 'add', path: '/spec/flags/-', value: 'de' }),
    boat.json({ op: 'test', path: '/spec/length', value: 9 }),
    boat.strategic({ spec: { length: 9 } }),
    boat.apply('painter', { spec: { length: 8, flags: ['it'] } }),
    boat.apply('painter', { spec: { length: 10 } }),
    boat.put({ spec: { length: 0 } }),
    boat.put({ metadata: { resourceVersion: '1' }, spec: { length: 3 } }),
    boat.apply('captain', { status: { afloat: true } }, { subresource: 'status' }),
    { method: 'GET', path: boats },
    { method: 'GET', path: `${boats}?watch=true&resourceVersion=0&timeoutSeconds=1` },
    boat.delete(),
    boat.get(),
    definition.delete(),
    { ...definition.get(), until: '"code":404' },
  ),
];
