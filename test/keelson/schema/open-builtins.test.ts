import { ApiServer } from '../../../src/api-server/index.js';
import { closedDefinition, EXPECTED, FUTURE_FIELD, FUTURE_TEMPLATE, holder, openDefinition } from './open-builtins.js';

let server: ApiServer;
beforeAll(async () => {
  server = await ApiServer.start({ protocol: 'http' });
  for (const definition of [openDefinition, closedDefinition]) {
    expect((await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)).status).toBe(201);
  }
});
afterAll(() => server.close());

async function post(path: string, object: object): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = { authorization: `Bearer ${server.tokenFor()}`, 'content-type': 'application/json' };
  const answer = await fetch(new URL(path, server.url), { method: 'POST', headers, body: JSON.stringify(object) });
  return { status: answer.status, body: await answer.json() };
}

describe('a custom resource that embeds a Pod template', () => {
  test('takes a value of a later Kubernetes if the type is open', async () => {
    const { path, object } = holder('OpenSet', FUTURE_TEMPLATE);
    const { status, body } = await post(path, object);
    expect({ status, body }).toMatchObject({ status: EXPECTED.open.status, body: { spec: { template: FUTURE_TEMPLATE } } });
  });

  test('refuses it otherwise', async () => {
    const { path, object } = holder('ClosedSet', FUTURE_TEMPLATE);
    expect(await post(path, object)).toMatchObject({ status: 422, body: { message: expect.stringContaining(EXPECTED.closedMessage) } });
  });

  test('loses a field of a later Kubernetes, and says so to who asks', async () => {
    const { path, object } = holder('OpenSet', FUTURE_FIELD);
    const strict = await post(`${path}?fieldValidation=Strict`, object);
    expect(strict).toMatchObject({ status: 400, body: { message: expect.stringContaining(EXPECTED.fieldMessage) } });
    const { body } = await post(`${path}?dryRun=All`, object);
    expect(JSON.stringify(body)).not.toContain('laterField');
  });
});
