import type { Story } from '../../stories/story.js';
import { container, gated, main, pod } from './pod-story.js';

export const podChangeStories: readonly Story[] = [
  pod(
    'an image can be changed',
    {},
    {
      steps: [
        {
          patch: {
            spec: {
              containers: [
                {
                  name: 'main',
                  image: 'nginx:2',
                  imagePullPolicy: 'Always',
                  terminationMessagePath: '/dev/termination-log',
                  terminationMessagePolicy: 'File',
                },
              ],
            },
          },
        },
      ],
    },
  ),
  pod(
    'a command cannot be changed',
    {},
    { steps: [{ patch: { spec: { containers: [{ ...main, imagePullPolicy: 'Always', command: ['x'] }] } } }] },
  ),
  pod(
    'many fields cannot be changed',
    { volumes: [{ name: 'v', configMap: { name: 'c' } }], nodeSelector: { a: 'b' } },
    {
      steps: [
        {
          patch: {
            spec: {
              hostname: 'other',
              nodeSelector: { c: 'd' },
              priorityClassName: 'p',
              volumes: [],
              securityContext: { runAsUser: 5 },
              hostNetwork: true,
            },
          },
        },
      ],
    },
  ),
  pod('containers cannot be added', {}, { steps: [{ patch: { spec: { containers: [main, { name: 'second', image: 'x' }] } } }] }),
  pod(
    'tolerations can be added',
    { tolerations: [{ key: 'a', operator: 'Exists' }] },
    {
      steps: [
        {
          patch: {
            spec: {
              tolerations: [
                { key: 'a', operator: 'Exists' },
                { key: 'b', operator: 'Exists' },
              ],
            },
          },
        },
        { patch: { spec: { tolerations: [] } } },
      ],
    },
  ),
  pod(
    'a deadline can be set and shortened',
    {},
    {
      steps: [
        { patch: { spec: { activeDeadlineSeconds: 50 } } },
        { patch: { spec: { activeDeadlineSeconds: 40 } } },
        { patch: { spec: { activeDeadlineSeconds: 60 } } },
        { patch: { spec: { activeDeadlineSeconds: null } } },
      ],
    },
  ),
  pod(
    'gates can be removed',
    {
      ...gated,
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] },
        },
      },
    },
    {
      steps: [
        { patch: { spec: { nodeSelector: { a: 'b' } } } },
        { patch: { spec: { nodeSelector: { a: 'c' } } } },
        {
          patch: {
            spec: {
              affinity: {
                nodeAffinity: {
                  requiredDuringSchedulingIgnoredDuringExecution: {
                    nodeSelectorTerms: [{ matchExpressions: [{ key: 'b', operator: 'Exists' }] }],
                  },
                },
              },
            },
          },
        },
        { patch: { spec: { schedulingGates: [{ name: 'example.com/other' }] } } },
        { patch: { spec: { schedulingGates: [] } } },
      ],
    },
  ),
  pod('labels and annotations can be changed', {}, { steps: [{ patch: { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } } } }] }),
  pod(
    'status updates',
    {},
    {
      steps: [
        {
          of: 'status',
          patch: {
            status: { phase: 'Running', podIP: '10.1.2.3', conditions: [{ type: 'Ready', status: 'True', observedGeneration: 1 }] },
            metadata: { labels: { s: 't' } },
            spec: { hostname: 'ignored' },
          },
        },
        { of: 'status', patch: { status: { qosClass: 'Guaranteed' } } },
        {
          of: 'status',
          patch: {
            status: {
              conditions: [{ type: 'a b', status: 'True' }],
              podIPs: [{ ip: '10.1.2.3' }, { ip: '10.1.2.4' }],
              hostIP: '1.1.1.1',
              hostIPs: [{ ip: '2.2.2.2' }],
            },
          },
        },
        { get: '' },
      ],
    },
  ),
  pod(
    'a container that has ended does not begin again',
    { restartPolicy: 'Never' },
    {
      steps: [
        {
          of: 'status',
          patch: {
            status: {
              containerStatuses: [
                { name: 'main', ready: false, restartCount: 0, image: 'x', imageID: 'x', state: { terminated: { exitCode: 0 } } },
              ],
            },
          },
        },
        {
          of: 'status',
          patch: {
            status: {
              containerStatuses: [{ name: 'main', ready: false, restartCount: 0, image: 'x', imageID: 'x', state: { running: {} } }],
            },
          },
        },
      ],
    },
  ),
  pod('deleted at once where it does not run', {}, { steps: [{ delete: {} }] }),
  pod(
    'deleted with grace where it runs',
    { nodeName: 'node' },
    {
      steps: [
        { delete: {} },
        { patch: { metadata: { labels: { a: 'b' } } } },
        { delete: { gracePeriodSeconds: 5 } },
        { delete: { gracePeriodSeconds: 10 } },
        { get: '' },
        { delete: { gracePeriodSeconds: 0 } },
      ],
    },
  ),
  pod(
    'debugging',
    {},
    {
      steps: [
        {
          of: 'ephemeralcontainers',
          patch: {
            spec: { ephemeralContainers: [{ name: 'debug', image: 'busybox' }], hostname: 'ignored' },
            metadata: { labels: { ignored: 'x' } },
          },
        },
        { of: 'ephemeralcontainers', patch: { spec: { ephemeralContainers: [{ name: 'debug', image: 'other' }] } } },
        { of: 'ephemeralcontainers', patch: { spec: { ephemeralContainers: [] } } },
        {
          of: 'ephemeralcontainers',
          patch: {
            spec: {
              ephemeralContainers: [
                { name: 'main', image: '', resources: { limits: { cpu: '1' } }, livenessProbe: { exec: { command: ['x'] } } },
              ],
            },
          },
        },
        { get: '' },
      ],
    },
  ),
  container('resizing', { resources: { requests: { cpu: '1', memory: '1Gi' } } }, {}),
  pod(
    'resized',
    { containers: [{ ...main, resources: { requests: { cpu: '1', memory: '1Gi', 'ephemeral-storage': '1Gi' } } }] },
    {
      steps: [
        {
          of: 'resize',
          patch: {
            spec: { containers: [{ ...main, resources: { requests: { cpu: '2', memory: '1Gi', 'ephemeral-storage': '1Gi' } } }] },
            metadata: { labels: { ignored: 'x' } },
          },
        },
        {
          of: 'resize',
          patch: { spec: { containers: [{ ...main, resources: { requests: { cpu: '2', memory: '1Gi', 'ephemeral-storage': '2Gi' } } }] } },
        },
        { of: 'resize', patch: { spec: { containers: [{ ...main, resources: { requests: { cpu: '2' } } }] } } },
        { of: 'resize', patch: { spec: { containers: [{ ...main, name: 'other', resources: { requests: { cpu: '2' } } }] } } },
        { of: 'resize', patch: { spec: { containers: [main, { name: 'second', image: 'x' }] } } },
        { of: 'resize', patch: { spec: { containers: [{ ...main, resources: {} }] } } },
        { patch: { spec: { containers: [{ ...main, imagePullPolicy: 'Always', resources: { requests: { cpu: '3' } } }] } } },
        { get: '' },
      ],
    },
  ),
];
