import { type KindOfStory, type Story, story } from '../stories/story.js';

const priorities: KindOfStory = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  isNamespaced: false,
};

export const schedulingStories: readonly Story[] = [
  story(
    priorities,
    'plain',
    { value: 1000, description: 'x' },
    { patch: { value: 1 } },
    { patch: { preemptionPolicy: 'Never' } },
    { patch: { description: 'y' } },
    { delete: {} },
  ),
  story(priorities, 'too high', { value: 1000000001, preemptionPolicy: 'X' }),
  story(priorities, 'system', { metadata: { name: 'system-x' }, value: 1 }),
  story(
    priorities,
    'changed',
    { value: 5 },
    { patch: { value: 6 } },
    { patch: { preemptionPolicy: 'Never', description: 'd' } },
    { patch: { globalDefault: true } },
    { put: { value: 5 } },
    { delete: {} },
  ),
  story(priorities, 'empty', {}),
  story(priorities, 'too much', { value: 1_000_000_001, preemptionPolicy: 'Sometimes' }),
  story(priorities, 'least', { value: -2_147_483_648, preemptionPolicy: '' }),
  ...['system-mine', 'system-node-critical', 'system-cluster-critical'].map((name) =>
    story(priorities, `called ${name}`, { metadata: { name }, value: 2_000_000_000, globalDefault: true, preemptionPolicy: 'X' }),
  ),
];
