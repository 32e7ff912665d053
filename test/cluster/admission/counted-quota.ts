import type { Step } from '../differential/exchange.js';
import { noticed } from '../differential/noticed.js';
import type { Script } from '../differential/script.js';
import { furnished } from './controllers.js';

const QUOTAS = '/api/v1/namespaces/{ns}/resourcequotas';
const QUOTA = `${QUOTAS}/q`;
const PODS = '/api/v1/namespaces/{ns}/pods';

/** The quota, as soon as the controller has counted so much. */
const counted = (used: Readonly<Record<string, string>>): Step => ({ method: 'GET', path: QUOTA, until: `"used":${JSON.stringify(used)}` });

/**
 * The controller counts by its own watches, and what it learns of later does not make it count again. A quota whose bounds change with every request is
 * counted until the controller has found all that is there; then so does the quota that is compared.
 */
const controllerKnows = (used: Readonly<Record<string, string>>): readonly Step[] => {
  const hard = Object.fromEntries(Object.keys(used).map((name) => [name, '100']));
  const steps: readonly Step[] = [
    { method: 'POST', path: QUOTAS, body: { metadata: { name: 'first' }, spec: { hard } } },
    {
      method: 'PATCH',
      path: `${QUOTAS}/first`,
      contentType: 'application/json-patch+json',
      body: [{ op: 'copy', from: '/metadata/resourceVersion', path: '/spec/hard/pods' }],
      until: `"used":${JSON.stringify(used)}`,
    },
    { method: 'DELETE', path: `${QUOTAS}/first` },
  ];
  return steps.map((step) => ({ ...step, isCompared: false }));
};

/** A Pod that is not meant, until the API server refuses it by what it has learnt of the quota by its own watch. */
const judged = (cpu: string): Step => noticed(`used: requests.cpu=${cpu}`, pod('probe', '2'));

const pod = (name: string, cpu = '300m'): Step => ({
  method: 'POST',
  path: PODS,
  body: {
    metadata: { name },
    spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }] },
  },
});

/** With controllers: quotas are taken up, and what goes is given back. */
export const countedQuotaScripts: readonly Script[] = [
  {
    name: 'resource quota: counted by a controller',
    steps: [
      ...furnished,
      pod('before'),
      ...controllerKnows({ 'count/configmaps': '1', pods: '1' }),
      {
        method: 'POST',
        path: QUOTAS,
        body: { metadata: { name: 'q' }, spec: { hard: { pods: '3', 'requests.cpu': '1', 'count/configmaps': '2', services: '1' } } },
      },
      counted({ 'count/configmaps': '1', pods: '1', 'requests.cpu': '300m', services: '0' }),
      judged('300m'),
      pod('a'),
      pod('b'),
      pod('c'),
      counted({ 'count/configmaps': '1', pods: '3', 'requests.cpu': '900m', services: '0' }),
      { method: 'DELETE', path: `${PODS}/before?gracePeriodSeconds=0` },
      counted({ 'count/configmaps': '1', pods: '2', 'requests.cpu': '600m', services: '0' }),
      { method: 'PATCH', path: `${PODS}/a/status`, body: { status: { phase: 'Succeeded' } } },
      counted({ 'count/configmaps': '1', pods: '1', 'requests.cpu': '300m', services: '0' }),
      judged('300m'),
      { method: 'POST', path: '/api/v1/namespaces/{ns}/configmaps', body: { metadata: { name: 'm' } } },
      counted({ 'count/configmaps': '2', pods: '1', 'requests.cpu': '300m', services: '0' }),
      { method: 'POST', path: '/api/v1/namespaces/{ns}/configmaps', body: { metadata: { name: 'n' } } },
      { method: 'DELETE', path: '/api/v1/namespaces/{ns}/configmaps/m' },
      counted({ 'count/configmaps': '1', pods: '1', 'requests.cpu': '300m', services: '0' }),
      { method: 'PATCH', path: QUOTA, body: { spec: { hard: { pods: '1', services: null } } } },
      counted({ 'count/configmaps': '1', pods: '1', 'requests.cpu': '300m' }),
    ],
  },
];
