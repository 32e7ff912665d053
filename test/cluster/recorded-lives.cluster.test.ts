import { request } from 'node:https';
import { NAMESPACE } from '../api-server/lives/life.js';
import { allLives } from '../api-server/lives/lives.js';
import { play, type Send, type Told } from '../api-server/lives/play.js';
import { recordedLives, recordLives } from '../api-server/lives/recorded-lives.js';
import { describeCluster, SharedCluster } from './harness/index.js';

/** A server without controllers: only the lives write to their objects. */
describeCluster('recorded lives on a real API server', () => {
  const isRecording = process.env['KEELSON_RECORD'] === '1';
  const recorded = recordedLives();
  const told = new Map<string, readonly Told[]>();
  let cluster: SharedCluster;
  beforeAll(async () => {
    cluster = SharedCluster.take('bare');
    await cluster.must('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  });
  afterAll(async () => {
    await cluster?.stop();
    if (isRecording && told.size === allLives.length) recordLives(told);
  });

  const send: Send = ({ method, path, contentType = 'application/json', body }) => {
    const { url, ca, tokens } = cluster.connection;
    const headers = { authorization: `Bearer ${tokens['admin']}`, 'content-type': contentType };
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, url), { method, ca, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('error', reject).on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
  };

  test.each(allLives.map((life) => [life.title, life] as const))('are answered as recorded: %s', async (title, life) => {
    const answers = await play(life, send);
    told.set(title, answers);
    if (!isRecording) expect(answers).toEqual(recorded.get(title));
  });
});
