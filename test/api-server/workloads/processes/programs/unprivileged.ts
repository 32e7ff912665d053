import { join } from 'node:path';
import { lackOfNames, processes, TestCluster } from '@keelson/testing';
import { Event, Pod, Secret, Service } from 'keelson/kinds/core/v1';

const [folder = ''] = process.argv.slice(2);

/** What a user who is not root gets of Pods as processes, as JSON on stdout: a Pod with probes, volumes, a hook and a Service, from its start to its end. */
async function main(): Promise<object> {
  let pathOf = (path: string): string => path;
  const containers = processes({
    'node:*': (container) => {
      pathOf = container.pathOf;
      return { program: process.execPath, args: [join(folder, 'server.cjs'), ...container.args.map(container.local)] };
    },
  });
  await using cluster = await TestCluster.start({ workloads: { containers } });
  await cluster.create(Secret, { metadata: { name: 'word' }, stringData: { word: 'xyzzy' } });
  await cluster.create(Service, {
    metadata: { name: 'web' },
    spec: {
      selector: { app: 'web' },
      ports: [
        { name: 'high', port: 8000, targetPort: 8080 },
        { name: 'low', port: 80, targetPort: 8080 },
      ],
    },
  });
  await cluster.create(Pod, {
    metadata: { name: 'server', labels: { app: 'web' } },
    spec: {
      volumes: [
        { name: 'word', secret: { secretName: 'word' } },
        { name: 'scratch', emptyDir: {} },
      ],
      containers: [
        {
          name: 'main',
          image: 'node:20',
          args: ['serve', '0.0.0.0'],
          volumeMounts: [
            { name: 'word', mountPath: '/word' },
            { name: 'scratch', mountPath: '/scratch' },
          ],
          lifecycle: { postStart: { exec: { command: ['/bin/sh', '-c', 'id -u > /scratch/user'] } } },
          readinessProbe: { httpGet: { port: 8080 }, periodSeconds: 1 },
          livenessProbe: { exec: { command: ['/bin/sh', '-c', 'test -e /word/word'] }, periodSeconds: 1, timeoutSeconds: 20 },
        },
      ],
    },
  });
  const service = `http://${await cluster.addressOf(Service, 'web')}:8000`;
  const ask = async (path: string): Promise<string> => (await fetch(`${service}${path}`)).text();
  const fileOf = (path: string): Promise<string> => ask(`/file?path=${encodeURIComponent(pathOf(path))}`);
  const events = async (): Promise<readonly string[]> =>
    (await cluster.list(Event)).map(({ reason, message }) => `${reason}: ${message}`).filter((text) => text.startsWith('FailedToListen'));
  const report = {
    address: await cluster.addressOf(Pod, 'server'),
    word: await fileOf('/word/word'),
    user: Number(await fileOf('/scratch/user')),
    log: await cluster.logsOf('server'),
    lackOfNames: lackOfNames() ?? '',
    name: await ask('/lookup?name=web'),
    service: await cluster.addressOf(Service, 'web'),
    events: await events(),
    pid: Number(await ask('/')),
  };
  await cluster.delete(Pod, 'server');
  await cluster.until(Pod, 'server', 'absent');
  return report;
}

void main().then((report) => process.stdout.write(JSON.stringify(report)));
