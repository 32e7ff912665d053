import { connect } from 'node:tls';
import { mergePatch } from '@keelson/testing';
import { MutatingWebhookConfiguration, Pod, Secret } from 'keelson/kinds';
import { SYSTEM_NAMESPACE } from '../../../examples/sidecarset/names.js';
import { CertificateAuthority } from '../../../src/kubernetes/certificates/index.js';
import { OPERATOR, podOf, type World } from './world.js';

const DAY_MS = 24 * 3_600_000;
const SECRET = `${SYSTEM_NAMESPACE}/${OPERATOR}-certificate`;

/** What becomes of Pods while the operator does not answer, or its certificate changes. */
export function outageSuite(worldOf: () => World): void {
  let world: World;
  let cluster: World['cluster'];
  beforeAll(async () => {
    world = worldOf();
    ({ cluster } = world);
    await world.createSet('outage');
  });

  const change = async (options: object, isInForce: () => Promise<boolean>): Promise<void> => {
    const { webhooks = [] } = await cluster.get(MutatingWebhookConfiguration, OPERATOR);
    const changed = webhooks.map((webhook) => (webhook.name === 'mutating.pods.core' ? { ...webhook, ...options } : webhook));
    await cluster.patch(MutatingWebhookConfiguration, OPERATOR, mergePatch({ webhooks: changed }));
    await world.eventually(isInForce);
  };
  const failed = (what: string | RegExp) => ({
    status: { code: 500 },
    message: expect.stringMatching(new RegExp(`failed calling webhook "mutating\\.pods\\.core": .*${what}`)),
  });

  test('2B-23: certificates are replaced under a steady stream of Pods: not one creation fails', async () => {
    const held = await cluster.get(Secret, SECRET);
    const first = await shownBy(world);
    // Somebody's backup, say: a certificate that holds, and is soon at its end. It is taken up, and replaced at once.
    await cluster.patch(Secret, SECRET, mergePatch({ data: wornOut(held.data ?? {}) }));
    const shown = new Set(first);
    const failures: unknown[] = [];
    let created = 0;
    const isOver = async (): Promise<boolean> => {
      const now = await shownBy(world);
      for (const serial of now) shown.add(serial);
      return shown.size >= 3 && new Set(now).size === 1 && now.length === 2 && !first.includes(now[0] ?? '');
    };
    await world.eventually(async () => {
      await Promise.all(
        Array.from({ length: 5 }, async () => {
          const name = `rotated-${created++}`;
          // Now and then for good: who counts them is the controller, whose versions are converted by the same server.
          const dryRun = created % 20 !== 0;
          const made = await cluster.create(podOf(name, 'outage'), { dryRun }).catch((error: unknown) => void failures.push(error));
          if (made !== undefined && made.spec?.containers.length !== 2) failures.push(made);
        }),
      );
      return isOver();
    });
    expect(failures).toEqual([]);
    expect(created).toBeGreaterThan(50);
  });

  test('2B-17, 2B-19: without an operator no Pod is created without its sidecars, where nothing is added Pods start, and so does the operator', async () => {
    await world.scaleOperator(0);
    expect(world.operators.exitCodes.filter((code) => code !== 0)).toEqual([]);
    await expect(cluster.create(podOf('lost', 'outage'))).rejects.toMatchObject(failed(''));
    await cluster.create(podOf('dns', 'outage', { namespace: 'kube-system' }));
    expect(await world.containersOf('kube-system/dns')).toEqual(['app']);
    // From nothing: its own Pods are created while nobody answers for Pods.
    await world.scaleOperator(2);
    await world.eventually(async () => (await cluster.create(podOf('found', 'outage'), { dryRun: true })).spec?.containers.length === 2);
  });

  test('2B-17: where failures are to be ignored, a Pod of a time without operator has no sidecars, and is not counted', async () => {
    await world.createSet('ignored');
    await world.scaleOperator(0);
    const create = (dryRun: boolean) => cluster.create(podOf('alone', 'ignored'), { dryRun });
    await change({ failurePolicy: 'Ignore' }, async () => (await create(true)).spec?.containers.length === 1);
    await create(false);
    await change({ failurePolicy: 'Fail' }, () =>
      create(true).then(
        () => false,
        () => true,
      ),
    );
    await world.scaleOperator(2);
    await world.untilReady('alone');
    await cluster.settled();
    expect([await world.containersOf('alone'), await world.countsOf('ignored')]).toEqual([['app'], [0, 0, 0]]);
  });

  test('2B-18: an operator that hangs costs as long as its time limit and no longer; namespaces that are left out do not wait', async () => {
    world.operators.hang();
    try {
      await expect(cluster.create(podOf('waits', 'outage'))).rejects.toMatchObject(failed('context deadline exceeded'));
      await cluster.create(podOf('does-not-wait', 'outage', { namespace: 'kube-system' }));
    } finally {
      world.operators.goOn();
    }
    await world.untilReplicas(2);
    await cluster.create(podOf('waited', 'outage'));
    expect(await world.containersOf('waited')).toEqual(['app', 'outage-proxy']);
    expect(await cluster.find(Pod, 'waits')).toBeUndefined();
  });
}

/** Serial numbers of what the replicas show. */
function shownBy({ operators }: World): Promise<string[]> {
  return Promise.all(
    [...operators.pods.values()].map(
      ({ ports }) =>
        new Promise<string>((resolve, reject) => {
          // Whom it trusts is the API server's matter; here only what is shown is looked at.
          const socket = connect({ host: '127.0.0.1', port: ports.webhook, rejectUnauthorized: false }, () => {
            resolve(socket.getPeerCertificate().serialNumber);
            socket.destroy();
          });
          socket.on('error', reject);
        }),
    ),
  );
}

function wornOut(data: Readonly<Record<string, string>>): Record<string, string> {
  const text = (file: string): string => Buffer.from(data[file] ?? '', 'base64').toString('utf8');
  const validity = { notBefore: new Date(Date.now() - 80 * DAY_MS), notAfter: new Date(Date.now() + 10 * DAY_MS) };
  const authority = CertificateAuthority.create({ commonName: 'somebody else', ...validity });
  const service = `${OPERATOR}-webhook.${SYSTEM_NAMESPACE}.svc`;
  const metrics = `${OPERATOR}-metrics.${SYSTEM_NAMESPACE}.svc`;
  const dnsNames = [service, metrics].flatMap((name) => [name, `${name}.cluster.local`]);
  const { certificate, privateKey } = authority.issueServing({ dnsNames, ...validity });
  const files = { 'tls.crt': certificate, 'tls.key': privateKey, 'ca.crt': authority.certificate + text('ca.crt') };
  return Object.fromEntries(Object.entries(files).map(([file, content]) => [file, Buffer.from(content).toString('base64')]));
}
