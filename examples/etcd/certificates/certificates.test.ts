import { CertificateAuthority, type KeyPair } from 'keelson/certificates';
import type { Pod } from 'keelson/kinds';
import { etcdCluster } from '../cluster/cluster-objects.js';
import { type Authorities, authoritiesAt, authoritiesIn, authorityTexts, bundleOf } from './authorities.js';
import { untrusting } from './certificates.js';
import { certificateProblem, chainOf, endOf } from './check.js';
import { filesOf, type Role, type TlsFiles } from './files.js';
import { issued } from './issue.js';

const NOW = new Date('2030-01-01T00:00:00Z');
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);
const encoded = (texts: Readonly<Record<string, string>>) => ({
  data: Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
});
const validity = { notBefore: later(-60), notAfter: later(3_600) };

describe('what is wrong with certificates', () => {
  const authority = CertificateAuthority.create({ commonName: 'one', ...validity });
  const stranger = CertificateAuthority.create({ commonName: 'two', ...validity });
  const dnsNames = ['*.ring.shop.svc'];
  const both = { dnsNames, isAlsoClient: true, ...validity };
  const files = ({ certificate, privateKey: key }: KeyPair, ca = authority.certificate): TlsFiles => ({ certificate, key, authority: ca });
  const good: Readonly<Record<Role, TlsFiles>> = {
    peer: files(authority.issueServing(both)),
    server: files(authority.issueServing(both)),
    client: files(authority.issueClient({ subject: [['O', 'a']], ...validity })),
  };
  const reasonOf = (change: Partial<Record<Role, TlsFiles>>): string | undefined =>
    certificateProblem({
      files: new Map(Object.entries({ ...good, ...change }) as [Role, TlsFiles][]),
      nameOf: (role) => role,
      host: 'ring-a.ring.shop.svc',
      now: NOW,
    })?.reason;

  test('nothing is wrong with those that fit together, and the first end of them counts', () => {
    expect(reasonOf({})).toBeUndefined();
    expect(endOf(new Map(Object.entries(good) as [Role, TlsFiles][]))).toEqual(validity.notAfter);
  });

  test.each<[string, Partial<Record<Role, TlsFiles>>, string]>([
    ['text that is no certificate', { peer: { ...good.peer, certificate: 'PEM' } }, 'Unreadable'],
    ['damage within', { peer: { ...good.peer, certificate: good.peer.certificate.replace('M', '!') } }, 'Unreadable'],
    ['text that is no key', { peer: { ...good.peer, key: 'PEM' } }, 'Unreadable'],
    ['the key of another', { peer: { ...good.peer, key: good.server.key } }, 'KeyMismatch'],
    ['one that has ended', { peer: files(authority.issueServing({ ...both, notAfter: NOW })) }, 'Expired'],
    ['one that begins later', { peer: files(authority.issueServing({ ...both, notBefore: later(1) })) }, 'NotYetValid'],
    ['a server that is no client', { server: files(authority.issueServing({ dnsNames, ...validity })) }, 'WrongUsage'],
    ['a peer that is no client', { peer: files(authority.issueServing({ dnsNames, ...validity })) }, 'WrongUsage'],
    [
      'one name where members have others',
      { server: files(authority.issueServing({ ...both, dnsNames: ['ring.shop.svc'] })) },
      'WrongNames',
    ],
    ['a server that the operator does not trust', { client: { ...good.client, authority: stranger.certificate } }, 'Untrusted'],
    ['an operator that members do not trust', { server: { ...good.server, authority: stranger.certificate } }, 'Untrusted'],
    ['a peer of another authority', { peer: files(stranger.issueServing(both)) }, 'Untrusted'],
  ])('%s', (_, change, reason) => {
    expect(reasonOf(change)).toBe(reason);
  });

  test('one of several authorities in a bundle is enough', () => {
    expect(reasonOf({ client: { ...good.client, authority: `${stranger.certificate}${authority.certificate}` } })).toBeUndefined();
  });

  test('Secrets that are not there, or lack a part, are named', () => {
    expect(filesOf('server', 'servers', undefined)).toMatchObject({ reason: 'SecretMissing', message: expect.stringContaining('servers') });
    const half = encoded({ 'server.crt': 'x', 'server.key': '' });
    expect(filesOf('server', 'servers', half)).toEqual({
      reason: 'KeyMissing',
      message: 'the Secret servers has no server.key, server-ca.crt',
    });
  });
});

describe('authorities', () => {
  const options = (isTrusted = true) => ({
    lifeMs: 300_000,
    nameFor: (at: Date, part: string) => `${part} ${at.toISOString()}`,
    trustsNext: () => isTrusted,
  });
  const first = authoritiesAt(undefined, NOW, options());

  test('the next one is trusted from the start, and signs after a third of its life', () => {
    expect(chainOf(bundleOf(first))).toHaveLength(2);
    expect(authoritiesAt(first, later(99), options())).toBe(first);
    const second = authoritiesAt(first, later(100), options());
    expect(second.current).toEqual(first.next);
    expect(chainOf(second.former).map(String)).toEqual([first.current.certificate]);
    expect(chainOf(bundleOf(second))).toHaveLength(3);
  });

  test('one that has ended is trusted no longer, and the bundle does not grow', () => {
    let held: Authorities = first;
    for (let seconds = 100; seconds <= 2_000; seconds += 100) held = authoritiesAt(held, later(seconds), options());
    // The current one, the next one, and those that signed in the last two thirds of a life.
    expect(chainOf(bundleOf(held)).length).toBeLessThanOrEqual(4);
    expect(chainOf(held.former).every(({ validTo }) => new Date(validTo) > later(2_000))).toBe(true);
  });

  test('its turn does not come while a process would not trust it', () => {
    expect(authoritiesAt(first, later(250), options(false))).toBe(first);
  });

  test('they come back from their Secret as they were; a part of them does not', () => {
    const { data } = encoded(authorityTexts(first));
    expect(authoritiesIn({ data })).toEqual(first);
    expect(authoritiesIn({ data: { ...data, 'next.key': '' } })).toBeUndefined();
  });

  test('a process trusts what was there before its Pod, or long enough before it started', () => {
    const pod = (createdAt: Date, startedAt: Date | undefined): Parameters<typeof untrusting>[0][number] => ({
      ...({ apiVersion: 'v1', kind: 'Pod' } as const),
      metadata: { name: 'a', namespace: 'shop', uid: 'a', resourceVersion: '1', creationTimestamp: createdAt.toISOString() },
      spec: { containers: [] },
      status: {
        containerStatuses: [
          {
            ...({ name: 'etcd', image: '', imageID: '', ready: true, restartCount: 0 } as const),
            state: startedAt === undefined ? {} : { running: { startedAt: startedAt.toISOString() } },
          },
        ],
      } as NonNullable<Pod['status']>,
    });
    const at = later(1_000);
    expect(untrusting([pod(at, later(1_001))], at)).toEqual([]);
    expect(untrusting([pod(NOW, later(900))], at)).toEqual(['a']);
    expect(untrusting([pod(NOW, later(1_060))], at)).toEqual(['a']);
    expect(untrusting([pod(NOW, undefined)], at)).toEqual(['a']);
    expect(untrusting([pod(NOW, later(1_120))], at)).toEqual([]);
  });
});

describe('what is issued', () => {
  const managed = { certificateLifeInSecond: 90, authorityLifeInSecond: 900 };
  const cluster = etcdCluster({ TLS: { managed } });
  const issue = (held: ReadonlyMap<string, Readonly<Record<string, string>>>, now: Date, tls: object = managed) =>
    issued({
      cluster,
      tls: { ...managed, ...tls },
      held: new Map([...held].map(([name, texts]) => [name, encoded(texts)])),
      now,
      trusts: () => true,
    });
  const first = issue(new Map(), NOW);
  const changed = (after: typeof first): string[] =>
    [...after].filter(([name, texts]) => JSON.stringify(texts) !== JSON.stringify(first.get(name))).map(([name]) => name);

  test('nothing changes before a third of a life is left, then all certificates do and the authorities do not', () => {
    expect(changed(issue(first, later(59)))).toEqual([]);
    expect(changed(issue(first, later(61)))).toEqual(['ring-peer-tls', 'ring-server-tls', 'ring-client-tls']);
  });

  test('a name more, or a shorter life, is a new certificate at once', () => {
    expect(changed(issue(first, later(1), { dnsNames: ['etcd.example.com'] }))).toEqual(['ring-peer-tls', 'ring-server-tls']);
    expect(changed(issue(first, later(1), { ipAddresses: ['10.0.0.1'] }))).toEqual(['ring-peer-tls', 'ring-server-tls']);
    expect(changed(issue(first, later(1), { certificateLifeInSecond: 60 }))).toHaveLength(3);
  });

  test('another authority signs all anew, and all that were trusted are', () => {
    const second = issue(first, later(300));
    expect(changed(second)).toHaveLength(4);
    const { 'peer.crt': peer = '', 'peer-ca.crt': bundle = '' } = second.get('ring-peer-tls') ?? {};
    const [leaf] = chainOf(peer);
    expect(chainOf(bundle).findIndex((one) => leaf?.checkIssued(one))).toBe(0);
    expect(bundle).toContain(chainOf(first.get('ring-ca')?.['ca.crt'] ?? '')[0]?.toString());
  });

  test('no certificate outlives the authority that has signed it', () => {
    const short = { certificateLifeInSecond: 300 };
    const held = issued({ cluster, tls: { ...managed, ...short }, held: new Map(), now: NOW, trusts: () => false });
    const texts = issued({
      cluster,
      tls: { ...managed, ...short },
      held: new Map([...held].map(([name, one]) => [name, encoded(one)])),
      now: later(800),
      trusts: () => false,
    });
    expect(chainOf(texts.get('ring-server-tls')?.['server.crt'] ?? '').map(({ validTo }) => new Date(validTo))).toEqual([later(900)]);
  });

  test('the client has no name of a user: the gateway of etcd refuses it where users log in', () => {
    expect(chainOf(first.get('ring-client-tls')?.['etcd-client.crt'] ?? '')[0]?.subject).toBe('O=etcd shop/ring');
  });
});
