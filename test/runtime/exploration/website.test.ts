import { ConfigMap, Deployment } from 'keelson/kinds';
import { Website, websiteOperator } from '../reconcile/website.js';
import { explorations } from './explorations.js';

/** Three children each; one is pruned, one is changed by somebody else, one is deleted by somebody else, and a whole website goes. */
explorations(websiteOperator, {
  name: 'website',
  story: ({ apply, change, remove, setStatus }) => [
    apply(Website({ metadata: { name: 'a' }, spec: { title: 'A' } })),
    apply(Website({ metadata: { name: 'b' }, spec: { title: 'B', replicas: 2 } })),
    change(Website, 'a', { spec: { withService: false, title: 'A2' } }),
    change(ConfigMap, 'b', { data: { title: 'hacked' }, metadata: { labels: { extra: 'x' } } }),
    remove(Deployment, 'a'),
    setStatus(Deployment, 'b', { replicas: 2, readyReplicas: 2 }),
    apply(Website({ metadata: { name: 'c' }, spec: {} })),
    remove(ConfigMap, 'c'),
    remove(Website, 'c'),
  ],
  // What somebody else has written into a child stays there.
  judges: { fresh: false },
});
