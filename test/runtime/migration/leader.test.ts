import { defineOperator } from 'keelson';
import { ApiServer } from '../../../src/api-server/index.js';
import { RUNTIME_DEFAULTS } from '../../../src/keelson/definition/index.js';
import { createClient } from '../../../src/runtime/client/index.js';
import { start } from '../../../src/runtime/host/index.js';
import { connectionOf } from '../../../src/runtime/http/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { MemoryLog } from '../harness/running-controller.js';
import { CRD_NAME, fill, install, RELEASES, storedVersions } from './releases.js';

test('the leader migrates the CRDs that the settings name, and says which of them it does not know', async () => {
  const server = await ApiServer.start();
  const token = server.tokenFor({ username: 'admin', groups: ['system:masters'] });
  const connection = connectionOf({ server: server.url, ca: server.certificateAuthority, token });
  const client = createClient({ connection, fieldManager: 'test' });
  await install(client, 'alpha');
  await fill(client, 'alpha', 5);
  await install(client, 'both');

  const clock = new FakeClock();
  const log = new MemoryLog();
  const operator = await start(defineOperator({ name: 'valves', customResources: [RELEASES.both] }), {
    connection,
    clock,
    log,
    environment: {},
    processMetrics: false,
    settings: { ...RUNTIME_DEFAULTS, healthPort: 0, metrics: { port: 0, secure: false }, storedVersions: [CRD_NAME, 'pumps.example.com'] },
  });
  await clock.timer((delayMs) => delayMs === 30_000);
  clock.advance(30_000);
  while ((await storedVersions(client))?.length !== 1) await new Promise((resolve) => setImmediate(resolve));
  const text = await (await fetch(`http://127.0.0.1:${operator.ports.metrics}/metrics`)).text();
  expect(text.match(/^keelson_stored_objects_rewritten_total.*$/gm)).toEqual(
    expect.arrayContaining([
      `keelson_stored_objects_rewritten_total{crd="${CRD_NAME}",result="ok"} 5`,
      `keelson_stored_objects_rewritten_total{crd="${CRD_NAME}",result="error"} 0`,
    ]),
  );
  await operator.stop();
  expect(log.lines.filter(({ level }) => level === 'warn')).toEqual([
    {
      level: 'warn',
      message: 'stored versions of a CRD shall be migrated that the operator does not define',
      fields: { crd: 'pumps.example.com', known: [CRD_NAME] },
    },
  ]);
  client.close();
  await server.close();
});
