import type { Step } from '../differential/exchange.js';

const waited = (path: string, until: string): Step => ({
  method: 'GET',
  path: `/api/v1/namespaces/{ns}/${path}`,
  until,
  isCompared: false,
});

/** What controllers make in a namespace, some time after it. */
export const furnished: readonly Step[] = [
  waited('serviceaccounts/default', '"kind":"ServiceAccount"'),
  waited('configmaps/kube-root-ca.crt', '"kind":"ConfigMap"'),
];
