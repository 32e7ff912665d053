import { X509Certificate } from 'node:crypto';
import { CertificateAuthority, type KeyPair } from 'keelson/certificates';
import { Pod, Secret } from 'keelson/kinds';
import { chainOf } from '../../examples/etcd/certificates/check.js';
import { FILES, type Role, textOf } from '../../examples/etcd/certificates/files.js';
import { EtcdCluster } from '../../examples/etcd/cluster/etcd-cluster.js';
import { findTool } from '../../scripts/cluster/go-tool.js';
import { Load } from './examples-etcd/load.js';
import type { MemberWatch } from './examples-etcd/membership/index.js';
import { NEVER_DEAD, programsBeside, RealWorld } from './examples-etcd/real-world.js';
import { describeCluster } from './harness/index.js';

const older = findTool('etcd-3.5');
if (!older.found && process.env['CI'] !== undefined) throw new Error(older.reason);
const reason = older.found ? '' : ` [skipped: ${older.reason}]`;
const encoded = (text: string): string => Buffer.from(text).toString('base64');

(older.found ? describe : describe.skip)(`TLS of real members of etcd${reason}`, () => {
  describeCluster('certificates of the user', (real) => {
    let world: RealWorld;
    let load: Load;
    let watch: MemberWatch;
    let dnsNames: string[];
    let ipAddresses: string[];
    const authority = CertificateAuthority.create({ commonName: 'of the user' });
    beforeAll(async () => {
      world = await RealWorld.open(programsBeside(real.connection.kubectl, older.found ? older.path : ''));
      ipAddresses = await world.addresses();
      dnsNames = ['*.ring.shop.svc'];
    });
    afterAll(async () => {
      await load?.stop();
      await watch?.stop();
      await world?.close();
    });

    const member = () => authority.issueServing({ dnsNames, ipAddresses, isAlsoClient: true });
    const data = (role: Role, { certificate, privateKey }: KeyPair, ca = authority.certificate) => {
      const keys = FILES[role];
      return { [keys.certificate]: encoded(certificate), [keys.key]: encoded(privateKey), [keys.authority]: encoded(ca) };
    };
    const put = async (name: string, content: Record<string, string>) => {
      const secret = await world.cluster.find(Secret, name);
      if (secret === undefined) await world.cluster.create(Secret({ metadata: { name }, data: content }));
      else await world.cluster.update(Secret, { ...secret, data: content });
    };
    const invalid = (why: string) =>
      world.cluster.until(EtcdCluster, 'ring', {
        status: { conditions: [{ type: 'CertificatesValid', status: 'False', reason: why }] },
      });
    const messageOf = ({ status }: EtcdCluster) => status?.conditions?.find(({ type }) => type === 'CertificatesValid')?.message;

    test('2A-31 before there are Secrets that fit together no member is made, and a condition says what is wrong', async () => {
      const TLS = { static: { member: { peerSecret: 'peers', serverSecret: 'servers' }, operatorSecret: 'operator' } };
      await world.create('ring', { size: 1, TLS });
      expect(messageOf(await invalid('SecretMissing'))).toBe('there is no Secret peers in this namespace');
      await put('peers', data('peer', member()));
      await put('operator', data('client', authority.issueClient({ subject: [['O', 'operator']] })));
      // As many tools make it: good for browsers, and every call of the gateway would fail.
      await put('servers', data('server', authority.issueServing({ dnsNames, ipAddresses })));
      expect(messageOf(await invalid('WrongUsage'))).toContain('the certificate of Secret servers must be one of a client too');
      await put('servers', data('server', member(), CertificateAuthority.create({ commonName: 'another' }).certificate));
      expect(messageOf(await invalid('Untrusted'))).toContain('no authority of Secret servers has signed');
      expect(await world.podsOf('ring')).toEqual([]);
      await put('servers', data('server', member()));
      const { status } = await world.ready('ring');
      expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'CertificatesValid', status: 'True' }));
      expect(Date.parse(status?.certificatesUntil ?? '')).toBeGreaterThan(Date.now());
    });

    test('2A-31 who has no certificate, or speaks without TLS, is refused', async () => {
      const { endpoints, tls } = await world.targetOf('ring');
      const [address] = endpoints.map((url) => url.replace('https:', 'http:'));
      await expect(world.etcd.status({ endpoints: [address ?? ''] })).rejects.toMatchObject({ name: 'EtcdError' });
      await expect(world.etcd.status({ endpoints, tls: { ca: tls?.ca ?? '' } })).rejects.toMatchObject({ name: 'EtcdError' });
      const stranger = CertificateAuthority.create({ commonName: 'stranger' }).issueClient({ subject: [['O', 'operator']] });
      const strange = { ca: tls?.ca ?? '', cert: stranger.certificate, key: stranger.privateKey };
      await expect(world.etcd.status({ endpoints, tls: strange })).rejects.toMatchObject({ name: 'EtcdError' });
      expect((await world.etcd.status({ endpoints, tls })).leader).toBeDefined();
    });

    test('2A-31 from one to three: members speak TLS with each other too', async () => {
      load = new Load(world.etcd, () => world.targetOf('ring'));
      watch = world.watch('ring');
      await world.change('ring', { size: 3 });
      await world.ready('ring');
      const members = [...(await world.membersOf('ring')).values()];
      expect(members).toHaveLength(3);
      for (const { peerUrls, clientUrls } of members) for (const url of [...peerUrls, ...clientUrls]) expect(url).toMatch(/^https:/);
      expect(await load.lost()).toEqual([]);
      expect(watch.problems).toEqual([]);
    });

    test('2A-31 other certificates take effect without a restart', async () => {
      const restartsOf = async () =>
        (await world.podsOf('ring')).map(({ metadata, status }) => [metadata.uid, status?.containerStatuses?.[0]?.restartCount]);
      const before = await restartsOf();
      const renewed = member();
      await put('servers', data('server', renewed));
      const { endpoints } = await world.targetOf('ring');
      for (const endpoint of endpoints) await world.cluster.until(async () => (await world.shownBy(endpoint)) === renewed.certificate);
      expect(await restartsOf()).toEqual(before);
      expect(await load.lost()).toEqual([]);
    });

    test('2A-31 while a Secret is gone members serve, nothing is changed, and it goes on afterwards', async () => {
      const secret = await world.cluster.get(Secret, 'operator');
      await world.cluster.delete(Secret, 'operator');
      const { status } = await invalid('SecretMissing');
      expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Available', status: 'Unknown' }));
      expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'False', reason: 'CertificatesInvalid' }));
      await world.change('ring', { size: 1 });
      await world.cluster.until(EtcdCluster, 'ring', ({ metadata, status: now }) =>
        Boolean(now?.conditions?.some((one) => one.type === 'Ready' && one.observedGeneration === metadata.generation)),
      );
      expect((await world.cluster.list(Pod, { labels: { etcd_cluster: 'ring' } })).length).toBe(3);
      await put('operator', { ...secret.data });
      await world.ready('ring');
      expect(await load.lost()).toEqual([]);
      world.cluster.requests.expectNoneDenied();
    });
  });

  describeCluster('certificates that the operator makes', (real) => {
    let world: RealWorld;
    let load: Load;
    let watch: MemberWatch;
    beforeAll(async () => {
      world = await RealWorld.open(programsBeside(real.connection.kubectl, older.found ? older.path : ''), NEVER_DEAD);
      load = new Load(world.etcd, () => world.targetOf('ring'));
      watch = world.watch('ring');
    });
    afterAll(async () => {
      await load?.stop();
      await watch?.stop();
      await world?.close();
    });

    const shown = async () => Promise.all((await world.targetOf('ring')).endpoints.map((endpoint) => world.shownBy(endpoint)));
    const signerOf = (certificate: string): string => new X509Certificate(certificate).issuer;
    const processes = async () =>
      (await world.podsOf('ring')).map(({ metadata, status }) => `${metadata.uid} ${status?.containerStatuses?.[0]?.restartCount}`).sort();
    const stored = async (name: string, key: string) => textOf(await world.cluster.get(Secret, name), key);
    /** No acknowledged write is lost, and no member came or went. */
    async function wholesome(): Promise<void> {
      expect(await load.lost()).toEqual([]);
      expect(watch.problems).toEqual([]);
      expect(watch.clusterIds.size).toBe(1);
    }
    let started: Awaited<ReturnType<typeof processes>>;
    let first: string;

    test('three members, of which each shows a certificate for all, that clients trust', async () => {
      const managed = { certificateLifeInSecond: 60, authorityLifeInSecond: 180, ipAddresses: await world.addresses() };
      await world.create('ring', { size: 3, TLS: { managed } });
      const { status } = await world.ready('ring');
      expect(Date.parse(status?.certificatesUntil ?? '')).toBeLessThanOrEqual(Date.now() + 60_000);
      started = await processes();
      first = signerOf((await shown())[0] ?? '');
      const { metadata } = await world.cluster.get(Secret, 'ring-client-tls');
      expect(metadata.ownerReferences).toMatchObject([{ kind: 'EtcdCluster', name: 'ring' }]);
      await wholesome();
    });

    test('certificates are replaced before they end, and then those of the next authority, without a restart', async () => {
      const before = new Set(await shown());
      await world.cluster.until(async () => (await shown()).every((certificate) => !before.has(certificate)));
      await wholesome();
      await world.cluster.until(async () => (await shown()).every((certificate) => signerOf(certificate) !== first));
      expect(chainOf(await stored('ring-client-tls', 'etcd-client-ca.crt'))).toHaveLength(3);
      expect(await processes()).toEqual(started);
      await wholesome();
    });

    test('a member that starts anew and those that have not trust each other, over the change of the authority', async () => {
      const [name = ''] = (await world.podsOf('ring')).map(({ metadata }) => metadata.name);
      await world.cluster.pods.signal(name, 'SIGKILL');
      await world.cluster.until(
        Pod,
        name,
        ({ status }) => status?.containerStatuses?.[0]?.restartCount === 1 && status.containerStatuses[0].ready,
      );
      await world.ready('ring');
      await wholesome();
    });

    test('a Secret that is deleted is made again, with another certificate', async () => {
      const before = await stored('ring-server-tls', 'server.crt');
      await world.cluster.delete(Secret, 'ring-server-tls');
      await world.cluster.until(async () => {
        const secret = await world.cluster.find(Secret, 'ring-server-tls');
        return secret !== undefined && textOf(secret, 'server.crt') !== before;
      });
      const wanted = await stored('ring-server-tls', 'server.crt');
      await world.cluster.until(async () => (await shown()).every((certificate) => certificate === wanted));
      await wholesome();
    });

    test('authorities are never replaced by ones that members do not trust', async () => {
      const { metadata, data = {} } = await world.cluster.get(Secret, 'ring-ca');
      await world.cluster.delete(Secret, 'ring-ca');
      await world.cluster.until(EtcdCluster, 'ring', {
        status: { conditions: [{ type: 'CertificatesValid', status: 'False', reason: 'AuthorityLost' }] },
      });
      const { name, labels, ownerReferences } = metadata;
      await world.cluster.create(Secret, {
        metadata: { name, labels: { ...labels }, ownerReferences: [...(ownerReferences ?? [])] },
        data: { ...data },
      });
      await world.ready('ring');
      await wholesome();
      world.cluster.requests.expectNoneDenied();
    });
  });
});
