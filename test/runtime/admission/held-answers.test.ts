import { Agent } from 'node:https';
import { heap, MEBIBYTE, WebhookProcess } from './webhook-process.js';

const ANSWER_BYTES = 3 * MEBIBYTE;
/** After so many, all that a review needs at its time has been there. */
const FIRST = 6;
const CONNECTIONS = 36;

test('a connection that has had a large answer, and stays, does not keep the memory of it', async () => {
  const server = await WebhookProcess.start();
  const agents: Agent[] = [];
  const object = heap(`[{"name":"${'a'.repeat(ANSWER_BYTES)}","size":1}]`, 'a', 'v1beta1');
  const review = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"1","desiredAPIVersion":"heap.example.com/v1","objects":[${object}]}}`;
  const peakAfter = async (connections: number): Promise<number> => {
    while (agents.length < connections) {
      const agent = new Agent({ keepAlive: true });
      agents.push(agent);
      const { status, text } = await server.post('/convert', review, agent);
      expect([status, text.length > ANSWER_BYTES]).toEqual([200, true]);
    }
    return (await server.memory()).peakBytes / MEBIBYTE;
  };
  try {
    const first = await peakAfter(FIRST);
    const grown = (await peakAfter(CONNECTIONS)) - first;
    // A third of what the answers are together, which is what they took.
    expect(grown).toBeLessThan(((CONNECTIONS - FIRST) * ANSWER_BYTES) / 3 / MEBIBYTE);
    expect(agents.map((agent) => Object.values(agent.freeSockets).flat().length)).toEqual(agents.map(() => 1));
  } finally {
    for (const agent of agents) agent.destroy();
    await server.end();
  }
});
