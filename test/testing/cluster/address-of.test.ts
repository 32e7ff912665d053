import { join } from 'node:path';
import { processes, TestCluster } from '@keelson/testing';
import { Pod, Service } from 'keelson/kinds/core/v1';

const PROGRAM = join(__dirname, '../../api-server/workloads/processes/programs/server.cjs');
const containers = processes({ 'node:*': ({ args, local }) => ({ program: process.execPath, args: [PROGRAM, ...args.map(local)] }) });
const service = (more: object = {}) => ({
  metadata: { name: 'web' },
  spec: { selector: { app: 'web' }, ports: [{ port: 9090, targetPort: 8080 }], ...more },
});
const web = {
  metadata: { name: 'a', labels: { app: 'web' } },
  spec: {
    containers: [
      { name: 'main', image: 'node:20', args: ['serve', '0.0.0.0'], readinessProbe: { httpGet: { port: 8080 }, periodSeconds: 1 } },
    ],
  },
};

test('the address of a Service is given when a ready Pod is behind it, and is reached at once', async () => {
  await using cluster = await TestCluster.start({ workloads: { containers } });
  await cluster.create(Service, service());
  const address = cluster.addressOf(Service, 'web');
  await cluster.create(Pod, web);
  const answer = await fetch(`http://${await address}:9090/`);
  const pod = await fetch(`http://${await cluster.addressOf(Pod, 'a')}:8080/`);
  expect(await answer.text()).toBe(await pod.text());
});

test('that nobody is ready behind a Service is said after the timeout', async () => {
  await using cluster = await TestCluster.start({ workloads: { containers }, timeout: '200ms' });
  await cluster.create(Service, service());
  await expect(cluster.addressOf(Service, 'web')).rejects.toThrow(
    'connections to Service default/web are refused: none of its endpoints is ready',
  );
});

test('where Pods are simulated a Service has its address at once, and a headless one has none', async () => {
  await using cluster = await TestCluster.start({ workloads: true });
  const { spec } = await cluster.create(Service, service());
  expect(await cluster.addressOf(Service, 'web')).toBe(spec?.clusterIP);
  await cluster.create(Service, { ...service({ clusterIP: 'None' }), metadata: { name: 'headless' } });
  await expect(cluster.addressOf(Service, 'headless')).rejects.toThrow('Service default/headless is headless');
});
