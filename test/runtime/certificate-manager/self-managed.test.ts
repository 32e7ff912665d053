import { X509Certificate } from 'node:crypto';
import { jsonPatch, mergePatch } from '@keelson/testing';
import { CustomResourceDefinition, MutatingWebhookConfiguration, Secret } from 'keelson/kinds';
import { CertificateAuthority } from '../../../src/kubernetes/certificates/index.js';
import { base64, DatedClock, Replica, Scene, SERVICE, SETTINGS, text } from './managed.js';

let scene: Scene;
beforeEach(async () => {
  scene = await Scene.start();
});
afterEach(() => scene.close());

const DAY_MS = 24 * 3_600_000;
const certificatesIn = (pem: string): X509Certificate[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map((block) => new X509Certificate(block));
const leafOf = (replica: Replica): X509Certificate => new X509Certificate(replica.manager.current?.certificate ?? '');

/** Whether a client with this bundle takes the certificate for the Service's name. */
function trusts(bundle: string, leaf: X509Certificate): boolean {
  return leaf.checkHost(SERVICE) !== undefined && certificatesIn(bundle).some((ca) => leaf.checkIssued(ca) && leaf.verify(ca.publicKey));
}

/** A pair whose life is over by so much, with an authority of its own. */
function aged(share: number, lifeMs = 90 * DAY_MS, dnsNames: readonly string[] = SETTINGS.dnsNames): Record<string, string> {
  const validity = { notBefore: new Date(Date.now() - lifeMs * share), notAfter: new Date(Date.now() + lifeMs * (1 - share)) };
  const authority = CertificateAuthority.create({ commonName: `aged ${share}`, ...validity });
  const { certificate, privateKey } = authority.issueServing({ dnsNames, ...validity });
  return { 'tls.crt': base64(certificate), 'tls.key': base64(privateKey), 'ca.crt': base64(authority.certificate) };
}

const store = (data: Record<string, string>): Promise<unknown> =>
  scene.cluster.create(Secret, { metadata: { name: 'shop-certificate', namespace: 'shop-system' }, type: 'kubernetes.io/tls', data });

async function started(options: ConstructorParameters<typeof Replica>[0] = {}): Promise<Replica> {
  const replica = await scene.replica(options);
  replica.manager.start();
  await replica.manager.ready();
  return replica;
}

/** As {@link started}, where others may still show a certificate that an authority of the bundle has signed: the new one waits before it is shown. */
async function startedBeside(options: ConstructorParameters<typeof Replica>[0] = {}): Promise<Replica> {
  const replica = await scene.replica(options);
  replica.manager.start();
  await Promise.race([replica.manager.ready(), replica.pause()]);
  if (replica.manager.current === undefined) replica.clock.advance(10_000);
  await replica.manager.ready();
  return replica;
}

test('H60 a certificate is issued, kept in the Secret, and trusted by every configuration for the name of the Service, under the rights of the operator', async () => {
  const replica = await started();
  const secret = await scene.secret();
  expect([secret.type, Object.keys(secret.data ?? {}).sort()]).toEqual(['kubernetes.io/tls', ['ca.crt', 'tls.crt', 'tls.key']]);
  expect(text(secret.data?.['tls.crt'])).toBe(replica.manager.current?.certificate);
  const bundles = await scene.bundles();
  expect(bundles).toHaveLength(3);
  for (const bundle of bundles) expect([bundle, trusts(bundle, leafOf(replica))]).toEqual([text(secret.data?.['ca.crt']), true]);
  expect(scene.cluster.requests.denied().all).toEqual([]);
  expect(replica.manager.problem).toBeUndefined();
});

test('H61 the metric shows the expiry, and nothing logs a key', async () => {
  const replica = await started();
  const notAfter = new Date(leafOf(replica).validTo);
  expect(replica.told).toEqual(['read', `expires ${notAfter.toISOString()}`]);
  expect(notAfter.getTime() - Date.now()).toBeGreaterThan(89 * DAY_MS);
  expect(JSON.stringify(replica.log.lines)).not.toContain('PRIVATE KEY');
  expect(replica.log.lines.map(({ level }) => level)).not.toContain('warn');
});

test('in steady state and after a restart nothing is written', async () => {
  const replica = await started();
  const mark = scene.cluster.requests.mark;
  for (let looks = 0; looks < 3; looks++) await replica.look();
  const second = await started();
  await second.look();
  expect(scene.cluster.requests.since(mark).writes().byUser('system:serviceaccount:shop-system:shop').all).toEqual([]);
  expect(second.manager.current).toEqual(replica.manager.current);
});

test('H61 replicas that start together agree on one certificate', async () => {
  const replicas = await Promise.all(Array.from({ length: 5 }, () => scene.replica()));
  for (const { manager } of replicas) manager.start();
  await Promise.all(replicas.map(({ manager }) => manager.ready()));
  expect(new Set(replicas.map(({ manager }) => manager.current?.certificate)).size).toBe(1);
  for (const bundle of await scene.bundles()) expect(certificatesIn(bundle)).toHaveLength(1);
});

test('H61 at two thirds of its life a new certificate is issued; the old is shown until every bundle has had the new authority for a while, and keeps its own', async () => {
  await store(aged(0.7));
  const replica = await started();
  const old = leafOf(replica);
  expect(trusts((await scene.bundles())[0] ?? '', old)).toBe(true);
  // It is worn out: a new one is issued at once, and waits.
  await replica.pause((ms) => ms === 0);
  replica.clock.advance(0);
  await replica.pause((ms) => ms === 10_000);
  const renewed = new X509Certificate(text((await scene.secret()).data?.['tls.crt']));
  expect(renewed.fingerprint256).not.toBe(old.fingerprint256);
  expect(leafOf(replica).fingerprint256).toBe(old.fingerprint256);
  for (const bundle of await scene.bundles()) expect([trusts(bundle, old), trusts(bundle, renewed)]).toEqual([true, true]);
  replica.clock.advance(9_999);
  expect(leafOf(replica).fingerprint256).toBe(old.fingerprint256);
  replica.clock.advance(1);
  await replica.pause();
  expect(leafOf(replica).fingerprint256).toBe(renewed.fingerprint256);
  expect(replica.told.filter((word) => word === 'read')).toHaveLength(2);
});

test('H61 who starts in the middle of a rotation shows the new certificate no sooner than the others', async () => {
  await store(aged(0.7));
  const first = await started();
  await first.pause((ms) => ms === 0);
  first.clock.advance(0);
  await first.pause((ms) => ms === 10_000);
  const second = await scene.replica();
  second.manager.start();
  await second.pause((ms) => ms === 10_000);
  expect(second.manager.problem).toMatch('no serving certificate yet');
  second.clock.advance(10_000);
  await second.manager.ready();
  expect(leafOf(second).subject).toBe(leafOf(first).subject);
});

test('H61 a certificate before two thirds of its life stays', async () => {
  await store(aged(0.6));
  const replica = await started();
  await replica.look();
  expect((await scene.secret()).data?.['tls.crt']).toBe(base64(replica.manager.current?.certificate ?? ''));
  expect(certificatesIn((await scene.bundles())[0] ?? '')).toHaveLength(1);
});

test('H61 a new certificate is not shown while one bundle lacks its authority', async () => {
  await store(aged(0.7));
  const replica = await started();
  const old = leafOf(replica).fingerprint256;
  scene.cluster.faults.fail({ verb: 'patch', kind: CustomResourceDefinition, status: 500, times: 'always' } as never);
  await replica.pause((ms) => ms === 0);
  replica.clock.advance(0);
  for (let looks = 0; looks < 4; looks++) await replica.look();
  expect(leafOf(replica).fingerprint256).toBe(old);
  expect([replica.manager.problem, replica.told.includes('failed')]).toEqual([undefined, true]);
  expect(replica.log.texts.filter((line) => line.startsWith('warn'))).toHaveLength(1);
  scene.cluster.faults.clear();
  await replica.look();
  await replica.look();
  expect(leafOf(replica).fingerprint256).not.toBe(old);
  expect(replica.log.texts).toContain('info the serving certificate is looked after again');
});

test('H61 who is behind takes no authority away that others have written', async () => {
  const replica = await started();
  const foreign = CertificateAuthority.create({ commonName: 'ahead' }).certificate;
  const [bundle = ''] = await scene.bundles();
  const both = base64(foreign + bundle);
  await scene.cluster.patch(
    MutatingWebhookConfiguration,
    'shop',
    jsonPatch([{ op: 'replace', path: '/webhooks/0/clientConfig/caBundle', value: both }]),
  );
  await replica.look();
  expect((await scene.bundles())[0]).toBe(foreign + bundle);
});

test('H61 an authority that has ended leaves the bundle with the next rotation', async () => {
  await store(aged(0.7));
  const ended = new Date(Date.now() - DAY_MS);
  const past = CertificateAuthority.create({ commonName: 'past', notBefore: new Date(0), notAfter: ended }).certificate;
  const secret = await scene.secret();
  await scene.cluster.patch(
    Secret,
    'shop-system/shop-certificate',
    mergePatch({ data: { 'ca.crt': base64(past + text(secret.data?.['ca.crt'])) } }),
  );
  const replica = await started();
  await replica.look();
  await replica.look();
  const bundle = certificatesIn(text((await scene.secret()).data?.['ca.crt']));
  expect(bundle.map(({ subject }) => subject.replace(/\d{4}-.*/, ''))).toEqual(['CN=keelson ', 'CN=aged 0.7']);
});

test('a bundle that somebody takes away is put back with the next look', async () => {
  const replica = await started();
  const before = await scene.bundles();
  await scene.cluster.patch(MutatingWebhookConfiguration, 'shop', jsonPatch([{ op: 'remove', path: '/webhooks/0/clientConfig/caBundle' }]));
  const at = '/spec/conversion/webhook/clientConfig/caBundle';
  const other = base64(CertificateAuthority.create({ commonName: 'other' }).certificate);
  await scene.cluster.patch(CustomResourceDefinition, 'shops.shop.example.com', jsonPatch([{ op: 'replace', path: at, value: other }]));
  await replica.look();
  const after = await scene.bundles();
  expect([after[0], after[1]]).toEqual([before[0], before[1]]);
  expect(trusts(after[2] ?? '', leafOf(replica))).toBe(true);
});

test('a configuration that changes under the patch is read again', async () => {
  const replica = await scene.replica();
  scene.cluster.faults.fail({ verb: 'patch', kind: MutatingWebhookConfiguration, status: 409, times: 2 } as never);
  replica.manager.start();
  await replica.manager.ready();
  expect(trusts((await scene.bundles())[0] ?? '', leafOf(replica))).toBe(true);
});

test.each<[string, () => Record<string, string>, string]>([
  ['has ended', () => aged(1.2), 'the certificate has ended'],
  ['is not for the Service', () => aged(0.1, DAY_MS, ['other.svc']), 'the certificate is not for'],
  ['is signed by nobody in the bundle', () => ({ ...aged(0.1), 'ca.crt': aged(0.1)['ca.crt'] ?? '' }), 'has signed the certificate'],
  ['has the key of another', () => ({ ...aged(0.1), 'tls.key': aged(0.1)['tls.key'] ?? '' }), 'the key does not belong'],
  ['is garbage', () => ({ 'tls.crt': base64('x'), 'tls.key': base64('y'), 'ca.crt': base64('z') }), 'the certificate is not PEM'],
  ['is empty', () => ({ 'tls.crt': '', 'tls.key': '' }), 'the certificate is not PEM'],
])('a Secret whose certificate %s is filled anew, and what else it holds stays', async (_, data, why) => {
  await store({ ...data(), note: base64('mine') });
  const replica = await startedBeside();
  expect(trusts((await scene.bundles())[0] ?? '', leafOf(replica))).toBe(true);
  expect(text((await scene.secret()).data?.['note'])).toBe('mine');
  const issuedLine = replica.log.lines.find(({ message }) => message === 'a serving certificate has been issued');
  expect(issuedLine?.fields['why']).toContain(why);
});

test('two versions that want different names settle on a certificate for both', async () => {
  const first = await started();
  const renamed = { ...SETTINGS, dnsNames: ['new-webhook.shop-system.svc'] };
  const second = await startedBeside({ settings: renamed });
  for (let looks = 0; looks < 3; looks++) await Promise.all([first.look(), second.look()]);
  expect(second.manager.current).toEqual(first.manager.current);
  expect([...SETTINGS.dnsNames, ...renamed.dnsNames].every((name) => leafOf(first).checkHost(name) !== undefined)).toBe(true);
  expect(certificatesIn((await scene.bundles())[0] ?? '')).toHaveLength(2);
});

test('without a configuration yet it serves all the same, and writes when there is one', async () => {
  const configuration = await scene.cluster.get(MutatingWebhookConfiguration, 'shop');
  await scene.cluster.delete(MutatingWebhookConfiguration, 'shop');
  const replica = await started();
  expect(replica.manager.problem).toBeUndefined();
  await replica.pause();
  const {
    metadata: { name, labels },
    webhooks,
  } = configuration;
  await scene.cluster.create(MutatingWebhookConfiguration, { metadata: { name, labels }, webhooks } as never);
  await replica.look();
  expect(trusts((await scene.bundles())[0] ?? '', leafOf(replica))).toBe(true);
});

test('an API server that is away is waited for with growing pauses, and told once', async () => {
  scene.cluster.faults.fail({ verb: 'get', kind: Secret, status: 500, times: 'always' } as never);
  const replica = await scene.replica();
  replica.manager.start();
  const pauses: number[] = [];
  for (const expected of [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) {
    await replica.pause((ms) => ms === expected);
    pauses.push(expected);
    replica.clock.advance(expected);
  }
  await replica.pause();
  expect(replica.manager.problem).toMatch(/^there is no serving certificate yet: .*/);
  expect(replica.log.texts.filter((line) => line.startsWith('warn'))).toEqual(['warn there is no serving certificate yet']);
  scene.cluster.faults.clear();
  replica.clock.advance(10_000);
  await replica.manager.ready();
  await replica.pause();
  replica.clock.advance(10_000);
});

test('a certificate that holds goes on when the API server is away, and its end is told', async () => {
  const clock = new DatedClock();
  const replica = await started({ clock });
  await replica.pause();
  scene.cluster.faults.fail({ verb: 'get', kind: Secret, status: 500, times: 'always' } as never);
  await replica.look();
  expect(replica.manager.problem).toBeUndefined();
  clock.offsetMs = 91 * DAY_MS;
  expect(replica.manager.problem).toMatch(/^the serving certificate has ended at /);
});

test('stop ends every pause, and whoever waits', async () => {
  const replica = await started();
  await replica.pause();
  await replica.manager.stop();
  expect(replica.clock.pending).toBe(0);
  const idle = await scene.replica();
  const ready = idle.manager.ready();
  const aborted = idle.manager.ready(AbortSignal.abort(new Error('enough')));
  await expect(aborted).rejects.toThrow('enough');
  await idle.manager.stop();
  await expect(ready).rejects.toThrow('stopped before it had a certificate');
  await expect(idle.manager.ready()).rejects.toThrow('stopped');
});

test('a listener or observer that throws disturbs nobody', async () => {
  const broken = (): never => {
    throw new Error('metrics');
  };
  const replica = await scene.replica({ observer: { read: broken, expires: broken } });
  replica.manager.onChange(broken);
  replica.manager.start();
  await replica.manager.ready();
  await replica.pause();
  expect(replica.log.texts.filter((line) => line.startsWith('error'))).toHaveLength(3);
});

test('without a client or a namespace it is refused', () => {
  expect(() => new Replica({ client: undefined })).toThrow('needs a client');
  expect(() => new Replica({ client: {} as never, namespace: '' })).toThrow('POD_NAMESPACE');
});
