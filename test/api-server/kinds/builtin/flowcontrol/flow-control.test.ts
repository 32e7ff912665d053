import { created, messageOf } from '../stories/story-server.js';

test('the levels and schemas that a server brings itself stay as they are', async () => {
  const path = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations';
  const level = { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } };
  expect((await created(path, level)).status).toBe(201);
  expect(messageOf(await created(path, { metadata: { name: 'catch-all' }, ...level }))).toContain("spec of 'catch-all' must equal");
  const own = { spec: { type: 'Exempt', exempt: { nominalConcurrencyShares: 7 } } };
  expect((await created(path, { metadata: { name: 'exempt' }, ...own })).status).toBe(201);
});
