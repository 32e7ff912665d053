import { App, Chart } from 'cdk8s';
import { CustomResource, Operator } from 'keelson/constructs';
import { SYSTEM_NAMESPACE } from './names.js';
import { SidecarSet } from './sidecar-set.js';
import { operator } from './sidecarset-operator.js';

export const app = new App();

const system = new Chart(app, 'sidecarset-operator', { namespace: SYSTEM_NAMESPACE });
new Operator(system, 'operator', { operator, image: 'registry.example.com/sidecarset-operator:0.1.0', createNamespace: true, replicas: 2 });

// A file of its own: the API server takes a SidecarSet only when it serves the kind and the webhooks answer.
const samples = new Chart(app, 'sidecarset-samples');
new CustomResource(samples, 'sample', {
  definition: SidecarSet,
  metadata: { name: 'log-shipper' },
  spec: {
    selector: { matchLabels: { logs: 'shipped' } },
    containers: [{ name: 'shipper', image: 'registry.example.com/shipper:1.0', volumeMounts: [{ name: 'logs', mountPath: '/logs' }] }],
    volumes: [{ name: 'logs', emptyDir: {} }],
  },
});

app.synth();
