import { clusterWide, type Fields, type Story, story } from '../stories/story.js';

const services = clusterWide('apiregistration.k8s.io/v1', 'APIService', 'apiservices');
const service = (fields: Fields, metadata: Fields = {}): Fields => ({
  metadata,
  spec: { group: 'a.example.com', version: 'v1', groupPriorityMinimum: 10, versionPriority: 10, ...fields },
});

const remote = { service: { name: 's', namespace: 'n' } };

export const apiregistrationStories: readonly Story[] = [
  story(services, 'empty', {}),
  story(services, 'without a spec', { metadata: { name: 'v1.' } }),
  story(services, 'of another name', service(remote)),
  story(services, 'bad', service({ group: 'A_b', version: 'V 1', groupPriorityMinimum: 0, versionPriority: 1_001, service: { port: 0 } })),
  story(services, 'bad name', service({ group: '', version: 'v2' }, { name: 'a/b' })),
  story(
    services,
    'secured twice',
    service({ ...remote, caBundle: 'eHg=', insecureSkipTLSVerify: true, groupPriorityMinimum: 20_001, versionPriority: 0 }),
  ),
  story(services, 'local and secured', service({ caBundle: 'eHg=', insecureSkipTLSVerify: true }, { name: 'v1.a.example.com' })),
  story(services, 'of a bad port', service({ service: { name: '', namespace: '', port: 70_000 } }, { name: 'v1.a.example.com' })),
];
