import { type Fields, type KindOfStory, type Story, story } from '../stories/story.js';

const autoscaler = (version: string): KindOfStory => ({
  apiVersion: `autoscaling/${version}`,
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  isNamespaced: true,
});

const first = autoscaler('v1');
const second = autoscaler('v2');
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const spec = (fields: Fields = {}): Fields => ({ spec: { scaleTargetRef: target, maxReplicas: 3, ...fields } });

export const autoscalingStories: readonly Story[] = [
  story(
    second,
    'plain',
    spec(),
    { patch: { spec: { minReplicas: 0 } } },
    { patch: { spec: { behavior: { scaleUp: { tolerance: '0.1' } } } } },
    { patch: { status: { currentReplicas: -1, desiredReplicas: 2, currentMetrics: [] } }, of: 'status' },
    {
      patch: {
        status: {
          currentReplicas: 1,
          desiredReplicas: 2,
          currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 5, averageValue: '1' } } }],
        },
      },
      of: 'status',
    },
    { delete: {} },
  ),
  story(
    second,
    'metrics',
    spec({
      behavior: {},
      metrics: [
        { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '10' } } },
        {
          type: 'Object',
          object: { metric: { name: 'm' }, describedObject: { kind: 'Service', name: 's' }, target: { type: 'Value', value: '1' } },
        },
        { type: 'External', external: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '1' } } },
        {
          type: 'ContainerResource',
          containerResource: { name: 'memory', container: 'c', target: { type: 'Utilization', averageUtilization: 3 } },
        },
      ],
    }),
  ),
  story(second, 'bad', {
    spec: {
      scaleTargetRef: { apiVersion: 'v1', kind: '', name: 'a/b' },
      minReplicas: 5,
      maxReplicas: 0,
      behavior: {
        scaleDown: {
          stabilizationWindowSeconds: 4000,
          selectPolicy: 'X',
          policies: [
            { type: 'Y', value: 0, periodSeconds: 0 },
            { type: 'Pods', value: 1, periodSeconds: 2000 },
          ],
        },
        scaleUp: { stabilizationWindowSeconds: -1 },
      },
      metrics: [
        { type: '' },
        { type: 'X' },
        { type: 'Object' },
        { type: 'Pods', pods: { metric: { name: '' }, target: { type: '' } }, resource: { name: 'cpu', target: { type: 'Utilization' } } },
        { type: 'Resource', resource: { name: '', target: { type: 'Utilization', averageUtilization: 0, averageValue: '0' } } },
        { type: 'External', external: { metric: { name: 'a/b' }, target: { type: 'Value', value: '1', averageValue: '-1' } } },
        { type: 'ContainerResource', containerResource: { name: 'foo', container: 'C', target: { type: 'Y' } } },
        {
          type: 'Object',
          object: { metric: { name: 'm' }, describedObject: { apiVersion: 'a/b/c', kind: 'K', name: 'n' }, target: { type: 'Value' } },
        },
      ],
    },
  }),
  story(
    second,
    'two sources',
    spec({
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'foo', target: { type: 'Utilization', averageUtilization: 3 } },
          containerResource: { name: 'foo', container: 'C', target: { type: 'Value' } },
        },
      ],
    }),
  ),
  story(second, 'of a controller', { spec: { scaleTargetRef: { kind: 'ReplicationController', name: 'r' }, maxReplicas: 1 } }),
  story(first, 'old', spec({ targetCPUUtilizationPercentage: 50 }), { patch: { spec: { maxReplicas: 5 } } }, { delete: {} }),
  story(first, 'old defaults', spec()),
  story(first, 'old bad', { spec: { scaleTargetRef: { kind: '', name: '' }, maxReplicas: 0 } }),
  {
    title: 'HorizontalPodAutoscaler at both versions',
    asks: [
      {
        method: 'POST',
        path: '/apis/autoscaling/v2/namespaces/stories/horizontalpodautoscalers',
        body: {
          metadata: { name: 'both' },
          ...spec({
            behavior: { scaleUp: { stabilizationWindowSeconds: 3 } },
            metrics: [
              { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 30 } } },
              {
                type: 'Object',
                object: { metric: { name: 'm' }, describedObject: { kind: 'Service', name: 's' }, target: { type: 'Value', value: '1' } },
              },
              {
                type: 'Pods',
                pods: {
                  metric: { name: 'm', selector: { matchLabels: { a: 'b' } } },
                  target: { type: 'AverageValue', averageValue: '10' },
                },
              },
            ],
          }),
        },
      },
      { method: 'GET', path: '/apis/autoscaling/v1/namespaces/stories/horizontalpodautoscalers/both' },
      {
        method: 'PATCH',
        path: '/apis/autoscaling/v1/namespaces/stories/horizontalpodautoscalers/both',
        body: { spec: { targetCPUUtilizationPercentage: 40 } },
      },
      { method: 'GET', path: '/apis/autoscaling/v2/namespaces/stories/horizontalpodautoscalers/both' },
      { method: 'DELETE', path: '/apis/autoscaling/v1/namespaces/stories/horizontalpodautoscalers/both' },
    ],
  },
];
