/** A server in a process of its own, which a test kills: `kept-server.ts FOLDER`. */
import { ApiServer } from '../../../src/api-server/server/index.js';

async function main(): Promise<void> {
  const server = await ApiServer.start({ protocol: 'http', dataFolder: process.argv[2] ?? '' });
  process.send?.({ url: server.url, token: server.tokenFor() });
}

void main();
