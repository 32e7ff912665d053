import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestCluster } from '@keelson/testing';
import { Deployment, Lease } from 'keelson/kinds';
import { Memcached } from '../../../examples/memcached/memcached.js';
import { DEADLINE_MS } from '../../deadline.cjs';
import { OperatorProcess } from '../examples-harness/index.js';

const LEASE = 'memcached-operator-system/memcached-operator';

/** Processes of the image's entry point, of which one leads. */
export function replicasSuite(start: () => Promise<TestCluster>): void {
  let cluster: TestCluster;
  let directory: string;
  const processes: OperatorProcess[] = [];
  beforeAll(async () => {
    cluster = await start();
    directory = mkdtempSync(join(tmpdir(), 'keelson-replicas-'));
    writeFileSync(join(directory, 'kubeconfig'), await cluster.kubeconfig(cluster.operator), { mode: 0o600 });
  });
  afterAll(async () => {
    await Promise.all(processes.map((each) => each.end('SIGKILL')));
    rmSync(directory, { recursive: true, force: true });
    await cluster?.close();
  });

  const begin = (podName: string): OperatorProcess => {
    const environment = {
      KUBECONFIG: join(directory, 'kubeconfig'),
      POD_NAMESPACE: 'memcached-operator-system',
      KEELSON_LEASE_NAME: 'memcached-operator',
      KEELSON_HEALTH_PORT: '0',
      KEELSON_METRICS_PORT: '0',
    };
    const begun = new OperatorProcess({ example: 'memcached', podName, environment });
    processes.push(begun);
    return begun;
  };
  const leads = (podName: string) =>
    cluster.until(Lease, LEASE, ({ spec }) => spec?.holderIdentity?.startsWith(`${podName}_`) === true, { timeout: DEADLINE_MS });
  const works = async (name: string): Promise<void> => {
    await cluster.create(Memcached({ metadata: { name }, spec: { size: 1, image: 'memcached:1.6' } }));
    await cluster.until(Deployment, name, 'present');
  };

  test('2C-22: when the leader is killed the standby takes over', async () => {
    const first = begin('first');
    await leads('first');
    await works('one');
    const second = begin('second');
    await cluster.until(() => second.lines.some((line) => line.includes('"msg":"starting"')), { timeout: DEADLINE_MS });
    // How long that takes is held on a clock of its own: test/runtime/leader.
    await first.end('SIGKILL');
    await leads('second');
    await works('two');
    expect((await cluster.get(Lease, LEASE)).spec).toMatchObject({ leaseDurationSeconds: 15, leaseTransitions: 1 });
  });

  test('SIGTERM ends the process with exit code 0, and the next one leads at once', async () => {
    const second = processes[1] as OperatorProcess;
    const third = begin('third');
    await cluster.until(() => third.lines.some((line) => line.includes('"msg":"starting"')), { timeout: DEADLINE_MS });
    expect(await second.end('SIGTERM')).toBe(0);
    await leads('third');
    await works('three');
  });
}
