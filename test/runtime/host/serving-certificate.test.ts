import { connect } from 'node:tls';
import { type InProcessCluster, TestCluster } from '@keelson/testing';
import { Secret } from 'keelson/kinds';
import { RUNTIME_DEFAULTS, type RuntimeSettings } from '../../../src/keelson/definition/index.js';
import { type RunningOperator, start } from '../../../src/runtime/host/index.js';
import { connectionTo } from '../harness/connection.js';
import { MemoryLog } from '../harness/running-controller.js';
import { websiteOperator } from '../reconcile/website.js';

const NAMESPACE = 'website-operator-system';
const NAME = `website-operator-metrics.${NAMESPACE}.svc`;
const SETTINGS: RuntimeSettings = {
  ...RUNTIME_DEFAULTS,
  healthPort: 0,
  metrics: { port: 0, secure: true },
  certificates: { mode: 'selfManaged', secretName: 'website-operator-certificate', dnsNames: [NAME], conversionCrds: [] },
};

let cluster: InProcessCluster;
let operator: RunningOperator | undefined;
beforeEach(async () => {
  cluster = await TestCluster.start({ operator: websiteOperator, namespace: 'shop' });
});
afterEach(async () => {
  await operator?.stop();
  await cluster.close();
});

async function begin(settings: RuntimeSettings): Promise<number> {
  const connection = connectionTo(cluster, { user: 'admin', groups: ['system:masters'] });
  operator = await start(websiteOperator, {
    connection,
    log: new MemoryLog(),
    environment: { POD_NAME: 'a', POD_NAMESPACE: NAMESPACE },
    processMetrics: false,
    settings,
  });
  return operator.ports.metrics as number;
}

/** Shakes hands as a Prometheus does that verifies. @returns the reason for which it does not trust the server */
function handshake(port: number, ca: string): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', servername: NAME, ca }, () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.once('error', resolve);
  });
}

test('secured metrics show the certificate of the Secret, without any webhook, so that readers can verify it', async () => {
  const port = await begin(SETTINGS);
  const { data = {} } = await cluster.until(Secret, { namespace: NAMESPACE, name: 'website-operator-certificate' }, 'present');
  const ca = Buffer.from(data['ca.crt'] as string, 'base64').toString();
  await cluster.until(async () => expect(await handshake(port, ca)).toBeUndefined());
});

test('metrics in the clear need no certificate, and none is issued', async () => {
  await begin({ ...SETTINGS, metrics: { port: 0, secure: false } });
  await cluster.settled();
  expect(await cluster.find(Secret, { namespace: NAMESPACE, name: 'website-operator-certificate' })).toBeUndefined();
});
