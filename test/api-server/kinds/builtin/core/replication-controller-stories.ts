import type { Json } from '../../../../../src/kubernetes/apimachinery/index.js';
import { type Fields, namespaced, type Step, type Story, story } from '../stories/story.js';

const labels = { app: 'a' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx:1' }] } };
const controllers = namespaced('v1', 'ReplicationController', 'replicationcontrollers');
const controller = (title: string, spec: Fields, steps: readonly Step[] = []): Story => story(controllers, title, { spec }, ...steps);
const templateWith = (spec: Fields, metadata: Json = { labels }): Json => ({ metadata, spec: { ...template.spec, ...spec } });

export const replicationControllerStories: readonly Story[] = [
  controller('smallest', { template }),
  controller('bad', { replicas: -1, minReadySeconds: -1, selector: { app: 'b' }, template: templateWith({ restartPolicy: 'Never' }) }),
  controller('empty', {}),
  controller('changes', { template }, [
    { patch: { spec: { replicas: 2 } } },
    { patch: { spec: { replicas: -2 } } },
    { of: 'status', patch: { status: { replicas: 1, readyReplicas: 2 } } },
    { get: 'scale' },
  ]),
];
