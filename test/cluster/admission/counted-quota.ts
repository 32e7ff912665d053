import type { Step } from '../differential/exchange.js';
import type { Script } from '../differential/script.js';

const QUOTA = '/api/v1/namespaces/{ns}/resourcequotas/q';
const PODS = '/api/v1/namespaces/{ns}/pods';

/** The quota, as soon as the controller has counted so much. */
const counted = (used: Readonly<Record<string, string>>): Step => ({ method: 'GET', path: QUOTA, until: `"used":${JSON.stringify(used)}` });

const pod = (name: string): Step => ({
  method: 'POST',
  path: PODS,
  body: {
    metadata: { name },
    spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '300m' } } }] },
  },
});

/** With controllers: quotas are taken up, and what goes is given back. */
export const countedQuotaScripts: readonly Script[] = [
  {
    name: 'resource quota: counted by a controller',
    steps: [
      pod('before'),
      {
        method: 'POST',
        path: '/api/v1/namespaces/{ns}/resourcequotas',
        body: { metadata: { name: 'q' }, spec: { hard: { pods: '3', 'requests.cpu': '1', 'count/configmaps': '2', services: '1' } } },
      },
      counted({ 'count/configmaps': '1', pods: '1', 'requests.cpu': '300m', services: '0' }),
      pod('a'),
      pod('b'),
      pod('c'),
      counted({ 'count/configmaps': '1', pods: '3', 'requests.cpu': '900m', services: '0' }),
      { method: 'DELETE', path: `${PODS}/before?gracePeriodSeconds=0` },
      counted({ 'count/configmaps': '1', pods: '2', 'requests.cpu': '600m', services: '0' }),
      { method: 'PATCH', path: `${PODS}/a/status`, body: { status: { phase: 'Succeeded' } } },
      counted({ 'count/configmaps': '1', pods: '1', 'requests.cpu': '300m', services: '0' }),
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
