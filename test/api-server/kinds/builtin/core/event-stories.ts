import { type Fields, type KindOfStory, NAMESPACE, namespaced, type Story, story } from '../stories/story.js';

const events = namespaced('v1', 'Event', 'events');
const newEvents: KindOfStory = { ...events, apiVersion: 'events.k8s.io/v1' };
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

export const eventStories: readonly Story[] = [
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
