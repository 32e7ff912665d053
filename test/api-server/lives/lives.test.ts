import { ApiServer } from '../../../src/api-server/server/index.js';
import { NAMESPACE } from './life.js';
import { allLives } from './lives.js';
import { play, type Send } from './play.js';
import { recordedLives } from './recorded-lives.js';

/** The recording is of a real server; `recorded-lives.cluster.test.ts` holds it against one. */
const recorded = recordedLives();

let server: ApiServer;
beforeAll(async () => {
  server = await ApiServer.start({ mode: 'envtest', protocol: 'http' });
  await send({ method: 'POST', path: '/api/v1/namespaces', body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } } });
});
afterAll(() => server.close());

const send: Send = async ({ method, path, contentType = 'application/json', body }) => {
  const headers = {
    authorization: `Bearer ${server.tokenFor({ username: 'admin', groups: ['system:masters'] })}`,
    'content-type': contentType,
  };
  const answer = await fetch(`${server.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: answer.status, text: await answer.text() };
};

test('the recording is of these lives', () => {
  expect([...recorded.keys()]).toEqual(allLives.map(({ title }) => title));
});

test.each(allLives.map((life) => [life.title, life] as const))('answered as by a real server: %s', async (title, life) => {
  expect(await play(life, send)).toEqual(recorded.get(title));
});
