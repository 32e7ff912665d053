import { namespaced, type Story, story } from '../stories/story.js';

const lease = namespaced('coordination.k8s.io/v1', 'Lease', 'leases');

export const coordinationStories: readonly Story[] = [
  story(
    lease,
    'plain',
    {
      spec: {
        holderIdentity: 'a',
        leaseDurationSeconds: 15,
        leaseTransitions: 0,
        acquireTime: '2026-01-01T00:00:00.000000Z',
        renewTime: '2026-01-01T00:00:00.123456Z',
        strategy: 'OldestEmulationVersion',
      },
    },
    { put: { spec: { holderIdentity: 'b' } } },
    { patch: { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } } },
    { delete: {} },
  ),
  story(lease, 'bad', { spec: { leaseDurationSeconds: 0 } }, { put: { spec: { holderIdentity: 'b' } } }),
];
