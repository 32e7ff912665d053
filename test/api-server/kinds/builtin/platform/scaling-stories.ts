import { type Fields, type KindOfStory, NAMESPACE, type PlatformStory, story } from './ask.js';

const autoscaler = (version: string): KindOfStory => ({
  apiVersion: `autoscaling/${version}`,
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  isNamespaced: true,
});
const first = autoscaler('v1');
const second = autoscaler('v2');
const events: KindOfStory = { apiVersion: 'v1', kind: 'Event', plural: 'events', isNamespaced: true };
const newEvents: KindOfStory = { ...events, apiVersion: 'events.k8s.io/v1' };

const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const spec = (fields: Fields = {}): Fields => ({ spec: { scaleTargetRef: target, maxReplicas: 3, ...fields } });
const subject = { kind: 'Pod', name: 'p', namespace: NAMESPACE, apiVersion: 'v1' };
const recorded: Fields = {
  eventTime: '2026-01-01T00:00:00.123456Z',
  reportingController: 'example.com/c',
  reportingInstance: 'i',
  action: 'A',
  reason: 'R',
  type: 'Normal',
};
const { reportingController: reportingComponent, ...others } = recorded as { reportingController: string };

/**
 * Of `events.k8s.io`, only what is accepted: a refusal names the core group on the real server, because it keeps the objects as that group's.
 */
export const scalingStories: readonly PlatformStory[] = [
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
  story(
    events,
    'plain',
    {
      involvedObject: subject,
      message: 'm',
      count: 1,
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:00Z',
      source: { component: 'c' },
    },
    { patch: { count: 2 } },
    { delete: {} },
  ),
  story(events, 'elsewhere', { involvedObject: { kind: 'Pod', namespace: 'other' } }),
  story(events, 'nowhere', { involvedObject: { kind: 'Node', name: 'n' } }),
  story(events, 'recorded', { ...others, reportingComponent, involvedObject: subject, series: { count: 1 } }),
  story(events, 'badly recorded', {
    eventTime: '2026-01-01T00:00:00.000000Z',
    involvedObject: {},
    reason: 'r'.repeat(129),
    message: 'm'.repeat(1025),
    reportingInstance: 'i'.repeat(129),
  }),
  story(
    newEvents,
    'new',
    { ...recorded, regarding: subject, note: 'n' },
    { patch: { series: { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' } } },
    { delete: {} },
  ),
  {
    title: 'Event in both groups',
    asks: [
      {
        method: 'POST',
        path: '/apis/events.k8s.io/v1/namespaces/stories/events',
        body: { metadata: { name: 'both' }, ...recorded, regarding: subject, note: 'n' },
      },
      { method: 'GET', path: '/api/v1/namespaces/stories/events/both' },
      { method: 'PATCH', path: '/api/v1/namespaces/stories/events/both', body: { message: 'other', count: 3 } },
      { method: 'GET', path: '/apis/events.k8s.io/v1/namespaces/stories/events/both' },
      { method: 'DELETE', path: '/apis/events.k8s.io/v1/namespaces/stories/events/both' },
      { method: 'GET', path: '/api/v1/namespaces/stories/events/both' },
    ],
  },
];
