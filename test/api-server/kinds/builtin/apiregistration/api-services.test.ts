import { created, messageOf } from '../stories/story-server.js';

test('an APIService is called by what it serves, and is available where nobody else serves it', async () => {
  const path = '/apis/apiregistration.k8s.io/v1/apiservices';
  const spec = { group: 'a.example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 };
  expect(messageOf(await created(path, { spec }))).toContain('must be `spec.version+"."+spec.group`: "v1.a.example.com"');
  expect((await created(path, { metadata: { name: 'v1.a.example.com' }, spec })).body).toMatchObject({
    status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
  });
});
