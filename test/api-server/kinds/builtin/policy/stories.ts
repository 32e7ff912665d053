import { namespaced, type Story, story } from '../stories/story.js';

const budget = namespaced('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets');

export const policyStories: readonly Story[] = [
  story(
    budget,
    'plain',
    { spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } } },
    { patch: { spec: { minAvailable: '50%' } } },
    { put: { spec: { minAvailable: 2 } } },
    {
      patch: {
        status: {
          disruptionsAllowed: 1,
          conditions: [{ type: 'A', status: 'True', reason: 'B', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }],
        },
      },
      of: 'status',
    },
    {
      patch: {
        status: {
          disruptionsAllowed: -1,
          currentHealthy: -1,
          conditions: [
            { type: 'A b', status: 'X', reason: '1', message: '', lastTransitionTime: null, observedGeneration: -1 },
            { type: 'A b', status: 'True', reason: '', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
          ],
        },
      },
      of: 'status',
    },
    { delete: {} },
  ),
  story(budget, 'both', {
    spec: { minAvailable: 1, maxUnavailable: '10%', selector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] } },
  }),
  story(budget, 'bad', {
    spec: { maxUnavailable: '101%', unhealthyPodEvictionPolicy: 'X', selector: { matchExpressions: [{ key: '-', operator: 'In' }] } },
  }),
  story(budget, 'bad number', { spec: { minAvailable: -1 } }),
  story(budget, 'bad share', { spec: { minAvailable: 'x' } }),
];
