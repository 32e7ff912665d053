import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type ExistingCluster, TestCluster } from '@keelson/testing';
import { Node, Pod, Service } from 'keelson/kinds';
import { KUBERNETES_VERSION } from '../../../scripts/cluster/binaries.js';
import { type Site, siteOf } from '../../../scripts/cluster/node/site.js';
import { DEADLINE_MS } from '../../deadline.cjs';
import { eventually } from '../../eventually.js';
import { describeNode, IMAGES } from './harness/index.js';

const ROOT = join(__dirname, '../../..');

describeNode('a cluster of one node', (node) => {
  let cluster: ExistingCluster;
  beforeAll(async () => {
    const namespace = await node.namespace('one-node');
    cluster = await TestCluster.start({ server: 'existing', kubeconfig: node.kubeconfig, namespace, timeout: DEADLINE_MS });
  });
  // What was created goes with the node.
  afterAll(() => cluster?.client.close());

  /** In a Pod, by its Node. */
  const evaluate = (code: string) => node.kubectl(['exec', `--namespace=${cluster.namespace}`, 'box', '--', 'node', '--eval', code]);

  test('a Pod runs, its log is read, its Service is found by name, and nothing leads out of the cluster', async () => {
    const server = "require('http').createServer((_, response) => response.end('hello')).listen(8080, () => console.log('started'))";
    const labels = { app: 'box' };
    const containers = [{ name: 'box', image: IMAGES.memcachedOperator, command: ['node', '--eval', server] }];
    await cluster.create(Pod({ metadata: { name: 'box', labels }, spec: { terminationGracePeriodSeconds: 0, containers } }));
    await cluster.create(Service({ metadata: { name: 'box' }, spec: { selector: labels, ports: [{ port: 8080 }] } }));
    await cluster.until(Pod, 'box', { status: { phase: 'Running' } });
    const logged = async () => (await node.kubectl(['logs', `--namespace=${cluster.namespace}`, 'box'])).stdout;
    await cluster.until(async () => (await logged()) === 'started\n');
    const name = `box.${cluster.namespace}.svc.cluster.local`;
    // A name is there, and leads somewhere, a moment after the Pod is ready.
    await cluster.until(
      async () => (await evaluate(`fetch('http://${name}:8080').then((_) => _.text()).then(console.log)`)).stdout === 'hello\n',
    );
    // Addresses of documentation: no machine has them.
    const outside = await evaluate("require('net').connect(80, '198.51.100.1').on('error', ({ code }) => console.log(code))");
    expect(outside.stdout).toBe('ENETUNREACH\n');
  });

  test('it is a Kubernetes of the pinned release, with a kubelet and containerd, in pid, mount and network namespaces of its own', async () => {
    const [{ status } = {}, ...others] = await cluster.list(Node);
    expect(others).toEqual([]);
    expect(status?.nodeInfo).toMatchObject({
      kubeletVersion: KUBERNETES_VERSION,
      containerRuntimeVersion: expect.stringMatching(/^containerd:\/\//),
    });
    for (const name of ['pid', 'mnt', 'net'])
      expect(readlinkSync(`/proc/${node.initPid}/ns/${name}`)).not.toBe(readlinkSync(`/proc/self/ns/${name}`));
  });

  test('an image that was not imported fails at once: no registry is asked', async () => {
    await cluster.create(Pod({ metadata: { name: 'absent' }, spec: { containers: [{ name: 'absent', image: 'localhost/absent:1' }] } }));
    await cluster.until(Pod, 'absent', ({ status }) => status?.containerStatuses?.[0]?.state?.waiting?.reason === 'ErrImagePull');
  });

  test('of a second cluster whose starter is killed nothing is left', async () => {
    const settings = kernelSettings();
    const starter = spawn(process.execPath, ['--import', 'tsx', 'scripts/cluster/node/main.ts'], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      const kubeconfig = await kubeconfigOf(starter);
      const site = siteOf(Number(/\/node\/(\d)\/run\//.exec(kubeconfig)?.[1]));
      expect(leftOf(site)).toEqual(['cgroups', 'files', 'link', 'processes', 'routes']);
      const second = await TestCluster.start({ server: 'existing', kubeconfig });
      expect((await second.list(Pod, { namespace: 'kube-system' })).map(({ status }) => status?.phase)).toEqual(['Running']);
      await second.close();
      starter.kill('SIGKILL');
      await eventually(
        async () => leftOf(site).length === 0,
        () => `nothing is left; it is ${leftOf(site).join(', ')}`,
      );
      expect(kernelSettings()).toEqual(settings);
    } finally {
      starter.kill('SIGKILL');
      if (starter.exitCode === null && starter.signalCode === null) await once(starter, 'exit');
    }
  });
});

/** Resolves when the cluster is up. */
async function kubeconfigOf(starter: ChildProcess): Promise<string> {
  let output = '';
  for await (const text of (starter.stderr as NonNullable<ChildProcess['stderr']>).setEncoding('utf8') as AsyncIterable<string>) {
    output += text;
    if (output.includes('Ctrl-C')) break;
  }
  const [, path] = /KUBECONFIG=(\S+)/.exec(output) ?? [];
  if (path === undefined) throw new Error(`the second cluster did not start:\n${output}`);
  return path;
}

const SETTINGS = ['vm/overcommit_memory', 'vm/panic_on_oom', 'kernel/panic', 'kernel/panic_on_oops', 'kernel/keys/root_maxkeys'];
const kernelSettings = (): string[] => SETTINGS.map((name) => `${name}=${readFileSync(`/proc/sys/${name}`, 'utf8').trim()}`);

/** What there is of a cluster on this machine. */
function leftOf(site: Site): string[] {
  const processes = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  const found = {
    cgroups: readdirSync('/sys/fs/cgroup').some((hierarchy) => existsSync(join('/sys/fs/cgroup', hierarchy, site.cgroup))),
    files: existsSync(site.directory),
    link: existsSync(`/sys/class/net/${site.link}`),
    mounts: readFileSync('/proc/mounts', 'utf8').includes(site.home),
    processes: processes.some((pid) => ['cmdline', 'cgroup'].some((file) => isOf(site, textOf(`/proc/${pid}/${file}`)))),
    // Of the kernel's table: addresses in hexadecimal, the last byte first.
    routes: readFileSync('/proc/net/route', 'utf8').includes(`\t00${site.slot.toString(16).padStart(2, '0').toUpperCase()}600A\t`),
  };
  return Object.entries(found).flatMap(([name, isThere]) => (isThere ? [name] : []));
}

const isOf = ({ directory, cgroup }: Site, text: string): boolean => text.includes(`${directory}/`) || text.includes(`/${cgroup}/`);

/** Empty if the process has ended meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
