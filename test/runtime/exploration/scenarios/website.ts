import { ConfigMap, Deployment, Service } from 'keelson/kinds';
import { mergePatch } from 'keelson/testing';
import { Website, websiteOperator } from '../../reconcile/website.js';
import type { Scenario } from '../scenario.js';
import { exists } from './exists.js';

/** Three children each; one is pruned, one is changed by somebody else, one is deleted by somebody else, and a whole website goes. */
export const website: Scenario = {
  name: 'website',
  kinds: [Website, ConfigMap, Deployment, Service],
  perform: () => ({
    operator: websiteOperator,
    mortal: ['c'],
    steps: [
      ({ client, namespace }) => client.create(Website, { metadata: { name: 'a', namespace }, spec: { title: 'A' } }),
      ({ client, namespace }) => client.create(Website, { metadata: { name: 'b', namespace }, spec: { title: 'B', replicas: 2 } }),
      ({ client, namespace }) => client.patch(Website, { namespace, name: 'a' }, mergePatch({ spec: { withService: false, title: 'A2' } })),
      async (stage) => {
        const key = { namespace: stage.namespace, name: 'b' };
        await exists(stage, ConfigMap, 'b');
        await stage.client.patch(ConfigMap, key, mergePatch({ data: { title: 'hacked' }, metadata: { labels: { extra: 'x' } } }));
      },
      async (stage) => {
        await exists(stage, Deployment, 'a');
        await stage.client.delete(Deployment, { namespace: stage.namespace, name: 'a' });
      },
      async (stage) => {
        await exists(stage, Deployment, 'b');
        await stage.client
          .status(Deployment)
          .patch({ namespace: stage.namespace, name: 'b' }, mergePatch({ status: { replicas: 2, readyReplicas: 2 } }));
      },
      ({ client, namespace }) => client.create(Website, { metadata: { name: 'c', namespace }, spec: {} }),
      ({ client, namespace }) => client.delete(Website, { namespace, name: 'c' }),
    ],
  }),
};
