/**
 * `node bench/processes/process-pods.mjs PROGRAMS`: Pods that run as processes, in a process of its own, as a test has them. PROGRAMS is JSON: `etcd`, `memcached` (paths) and `operator` (a bundle).
 *
 * It prints JSON: how long after the start of this process the API server was ready, and for each program the milliseconds from the creation of its Pod to its first right answer.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processes, TestCluster } from '@keelson/testing';
import { Pod } from 'keelson/kinds';
import { websiteOperator } from './website.mjs';

const programs = JSON.parse(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), 'keelson-bench-process-pods-'));
const kubeconfig = join(folder, 'kubeconfig');
const containers = processes({
  'etcd:*': ({ address, pathOf }) => {
    const [client, peer] = [`http://${address}:2379`, `http://${address}:2380`];
    const urls = ['--listen-client-urls', client, '--advertise-client-urls', client, '--listen-peer-urls', peer];
    return {
      program: programs.etcd,
      args: ['--data-dir', pathOf('/data'), ...urls, '--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`],
    };
  },
  'memcached:*': ({ address }) => ({ program: programs.memcached, args: ['-u', 'nobody', '-l', address] }),
  'operator:*': ({ address }) => ({
    program: process.execPath,
    args: [programs.operator],
    env: { KUBECONFIG: kubeconfig, KEELSON_LISTEN_ADDRESS: address },
  }),
});

const over = async (url) => (await fetch(url)).text();
const SUBJECTS = [
  {
    name: 'memcached',
    image: 'memcached:1.6',
    answers: async (address) => (await told(address, 11211, 'version\r\n')).startsWith('VERSION'),
  },
  {
    name: 'etcd',
    image: 'etcd:3.6',
    answers: async (address) => JSON.parse(await over(`http://${address}:2379/health`)).health === 'true',
  },
  { name: 'operator', image: 'operator:1', answers: async (address) => (await fetch(`http://${address}:8081/readyz`)).ok },
];

function told(host, port, line) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => socket.write(line));
    socket.setEncoding('utf8').once('data', (text) => {
      socket.destroy();
      resolve(text);
    });
    socket.once('error', reject);
  });
}

async function firstAnswer(cluster, { name, image, answers }) {
  const start = performance.now();
  const container = { name: 'main', image, volumeMounts: [{ name: 'data', mountPath: '/data' }] };
  await cluster.create(Pod, { metadata: { name }, spec: { containers: [container], volumes: [{ name: 'data', emptyDir: {} }] } });
  const address = await cluster.addressOf(Pod, name);
  await cluster.until(() => answers(address).catch(() => false));
  const milliseconds = performance.now() - start;
  await cluster.delete(Pod, name);
  await cluster.until(Pod, name, 'absent');
  return milliseconds;
}

const cluster = await TestCluster.start({ operator: websiteOperator(), workloads: { containers } });
try {
  const result = { server: performance.now() };
  writeFileSync(kubeconfig, await cluster.kubeconfig(), { mode: 0o600 });
  for (const subject of SUBJECTS) if (programs[subject.name] !== undefined) result[subject.name] = await firstAnswer(cluster, subject);
  console.log(JSON.stringify(result));
} finally {
  await cluster.close();
  rmSync(folder, { recursive: true });
}
