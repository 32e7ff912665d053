import { widget, widgets } from '../definitions.js';
import { Server } from '../server.js';

const READING = ['delete', 'deletecollection', 'get', 'list', 'watch'];

test('a definition that goes away shows no verbs of writing, and whoever remembered them looks again', async () => {
  const server = new Server();
  await server.define(widgets());
  const verbs = (): readonly string[] => server.target('example.com/v1/widgets').served.version.verbs;
  expect(verbs()).toContain('create');
  await server.request(
    'create',
    'example.com/v1/widgets/default',
    widget({}, { metadata: { name: 'one', finalizers: ['example.com/hold'] } }),
  );
  await server.controllers.settled();
  const before = server.catalog.revision;
  const resource = server.catalog.find('example.com', 'widgets');
  await server.request('delete', 'apiextensions.k8s.io/v1/customresourcedefinitions//widgets.example.com');
  expect(verbs()).toEqual(READING);
  expect(server.catalog.revision).toBeGreaterThan(before);
  expect(server.catalog.find('example.com', 'widgets')).toBe(resource);
});
