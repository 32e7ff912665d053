import { namespaced, type Story, story } from '../../stories/story.js';

const quota = namespaced('v1', 'ResourceQuota', 'resourcequotas');
const limitRange = namespaced('v1', 'LimitRange', 'limitranges');
const limits = (...items: object[]): { spec: { limits: never } } => ({ spec: { limits: items as never } });

export const quotasStories: readonly Story[] = [
  story(
    quota,
    'plain',
    {
      spec: {
        hard: { pods: '10', cpu: '1500m', 'requests.nvidia.com/gpu': 4, 'count/widgets.example.com': '3' },
        scopes: ['NotBestEffort'],
      },
    },
    { patch: { status: { hard: { pods: '10' }, used: { pods: '1.5', x: '1' } } }, of: 'status' },
    { patch: { status: { hard: { pods: '10' }, used: { pods: '1' } } }, of: 'status' },
    { patch: { spec: { scopes: ['BestEffort'] } } },
    { patch: { spec: { hard: { pods: '11', cpu: null } } } },
    { delete: {} },
  ),
  story(quota, 'empty', {}),
  story(quota, 'bad names', { spec: { hard: { foo: '1', 'a b': '1', pods: '-1', 'requests.storage': '1Gi', storage: '1' } } }),
  story(quota, 'bad scopes', { spec: { hard: { cpu: '1' }, scopes: ['BestEffort', 'NotBestEffort', 'Other', 'VolumeAttributesClass'] } }),
  story(quota, 'bad selector', {
    spec: {
      hard: { cpu: '1', pods: '1' },
      scopeSelector: {
        matchExpressions: [
          { scopeName: 'Terminating', operator: 'In', values: ['a'] },
          { scopeName: 'PriorityClass', operator: 'In' },
          { scopeName: 'PriorityClass', operator: 'Exists', values: ['x'] },
          { scopeName: 'What', operator: 'Is' },
          { scopeName: 'NotTerminating', operator: 'Exists' },
        ],
      },
    },
  }),
  story(quota, 'selector of volumes', {
    spec: { hard: { cpu: '1' }, scopeSelector: { matchExpressions: [{ scopeName: 'VolumeAttributesClass', operator: 'Exists' }] } },
  }),
  story(
    limitRange,
    'plain',
    limits({
      type: 'Container',
      max: { cpu: '2', memory: '1Gi' },
      min: { cpu: '100m', 'ephemeral-storage': '1Gi' },
      default: { cpu: '500m' },
    }),
    {
      patch: { metadata: { labels: { a: 'b' } } },
    },
  ),
  story(limitRange, 'nameless', { metadata: { generateName: '' }, ...limits() }),
  story(
    limitRange,
    'types',
    limits(
      { type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } },
      { type: 'Pod' },
      { type: 'Other' },
      { type: '' },
      { type: 'example.com/x', max: { storage: '1' } },
      { type: 'PersistentVolumeClaim', max: { cpu: '1' } },
    ),
  ),
  story(
    limitRange,
    'amounts',
    limits(
      {
        type: 'Container',
        max: { cpu: '1', memory: '1Gi', foo: '1' },
        min: { cpu: '2' },
        default: { cpu: '3', memory: '512Mi' },
        defaultRequest: { cpu: '4', memory: '768Mi' },
      },
      { type: 'Pod', maxLimitRequestRatio: { cpu: '5', memory: '500m' }, max: { cpu: '3' }, min: { cpu: '1' } },
      { type: 'example.com/y', default: { 'example.com/gpu': '2' }, defaultRequest: { 'example.com/gpu': '1' } },
    ),
  ),
];
