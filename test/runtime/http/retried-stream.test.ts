import { connectionOf, Transport } from '../../../src/runtime/http/index.js';
import { eventually } from '../../eventually.js';
import { FakeClock } from '../clock/fake-clock.js';
import { type Answer, ScriptedServer } from './scripted-server.js';

test('a stream leaves no connection behind with the answer that it retried, however long its body lasts', async () => {
  const server = await ScriptedServer.start();
  const clock = new FakeClock();
  const transport = new Transport({ connection: connectionOf({ server: server.url, clock }), clock, random: () => 0.5 });
  try {
    const endless: Answer = (response) => void response.writeHead(429, { 'retry-after': '1' }).write('never ends');
    server.script(endless, (response) => void response.write('a'));
    const opened = transport.stream({ method: 'GET', path: '/a' });
    await clock.timer((delayMs) => delayMs === 1_050);
    clock.advance(1_050);
    expect((await opened).status).toBe(200);
    await eventually(() => server.openSockets === 1);
  } finally {
    transport.close();
    await server.stop();
  }
});
