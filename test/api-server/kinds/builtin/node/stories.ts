import { clusterWide, type Story, story } from '../stories/story.js';

const runtime = clusterWide('node.k8s.io/v1', 'RuntimeClass', 'runtimeclasses');

export const nodeStories: readonly Story[] = [
  story(
    runtime,
    'plain',
    {
      handler: 'h',
      overhead: { podFixed: { cpu: '100m' } },
      scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'a', operator: 'Exists' }] },
    },
    { patch: { handler: 'other' } },
    { patch: { scheduling: null } },
    { put: { handler: 'h' } },
  ),
  story(runtime, 'bad', {
    handler: 'H',
    overhead: { podFixed: { foo: '1', cpu: '-1' } },
    scheduling: {
      nodeSelector: { 'a b': 'c' },
      tolerations: [
        { key: 'a', operator: 'X' },
        { key: 'b', operator: 'Exists' },
        { key: 'b', operator: 'Exists' },
      ],
    },
  }),
  story(
    runtime,
    'simple',
    { handler: 'runc', overhead: { podFixed: { cpu: '10m' } }, scheduling: { nodeSelector: { a: 'b' } } },
    { patch: { handler: 'other' } },
    { patch: { overhead: null } },
    { delete: {} },
  ),
  story(runtime, 'wrong', {
    handler: 'A b',
    overhead: { podFixed: { cpu: '-1', foo: '1' } },
    scheduling: { nodeSelector: { 'a b': 'c d' } },
  }),
];
