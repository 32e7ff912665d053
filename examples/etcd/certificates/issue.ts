import { createPrivateKey } from 'node:crypto';
import { CertificateAuthority, type KeyPair } from 'keelson/certificates';
import type { Secret } from 'keelson/kinds';
import type { EtcdCluster } from '../cluster/etcd-cluster.js';
import { authoritySecretName, clientServiceName, hostOf, type Named, tlsSecretsOf } from '../cluster/names.js';
import { type Authorities, authoritiesAt, authoritiesIn, authorityTexts, BACKDATED_MS, bundleOf } from './authorities.js';
import { chainOf, lastMoment } from './check.js';
import { FILES, ROLES, type Role, textOf } from './files.js';

export type Managed = Named & Pick<EtcdCluster, 'spec'>;
type ManagedTls = NonNullable<NonNullable<EtcdCluster['spec']['TLS']>['managed']>;

export interface IssueOptions {
  readonly cluster: Managed;
  readonly tls: ManagedTls;
  /** Secrets that are there, by their names. */
  readonly held: ReadonlyMap<string, Pick<Secret, 'data'>>;
  readonly now: Date;
  /** Whether all processes trust an authority that was made then. */
  readonly trusts: (madeAt: Date) => boolean;
}

// #region issue
/**
 * The new contents of a cluster's Secrets, as texts by key. A certificate is issued anew when a third of its life is left, when another authority signs, and
 * when it lacks a name; all else stays as it is.
 *
 * @throws CertificateError for a name that no certificate can carry
 */
export function issued({ cluster, tls, held, now, trusts }: IssueOptions): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const store = authoritySecretName(cluster);
  const { namespace, name } = cluster.metadata;
  const authorities = authoritiesAt(authoritiesIn(held.get(store)), now, {
    lifeMs: tls.authorityLifeInSecond * 1_000,
    nameFor: (at, part) => `etcd ${namespace}/${name} ${at.toISOString()} ${part}`,
    trustsNext: trusts,
  });
  const secrets = tlsSecretsOf(cluster);
  const leaves = ROLES.map((role) => {
    const secret = secrets[role] ?? '';
    const { certificate, key, authority } = FILES[role];
    const before = { certificate: textOf(held.get(secret), certificate), privateKey: textOf(held.get(secret), key) };
    const pair = isGood(before, { cluster, tls, authorities, role, now }) ? before : made({ cluster, tls, authorities, role, now });
    return [secret, { [certificate]: pair.certificate, [key]: pair.privateKey, [authority]: bundleOf(authorities) }] as const;
  });
  return new Map<string, Readonly<Record<string, string>>>([[store, authorityTexts(authorities)], ...leaves]);
}
// #endregion

interface Leaf extends Pick<IssueOptions, 'cluster' | 'tls' | 'now'> {
  readonly authorities: Authorities;
  readonly role: Role;
}

function isGood({ certificate, privateKey }: KeyPair, { cluster, tls, authorities, role, now }: Leaf): boolean {
  const [leaf] = chainOf(certificate);
  const [authority] = chainOf(authorities.current.certificate);
  if (leaf === undefined || authority === undefined || !leaf.checkIssued(authority) || !leaf.verify(authority.publicKey)) return false;
  if (!belongs(leaf.checkPrivateKey.bind(leaf), privateKey)) return false;
  const lifeMs = tls.certificateLifeInSecond * 1_000;
  const leftMs = lastMoment(leaf).getTime() - now.getTime();
  // More than a life: the spec says less than it did.
  if (leftMs > lifeMs || (leftMs < lifeMs / 3 && leftMs < lastMoment(authority).getTime() - now.getTime())) return false;
  const { dnsNames, ipAddresses } = namesOf(cluster, tls);
  return role === 'client' || (dnsNames.every((name) => leaf.checkHost(name) !== undefined) && ipAddresses.every((ip) => leaf.checkIP(ip)));
}

function belongs(check: (key: ReturnType<typeof createPrivateKey>) => boolean, pem: string): boolean {
  try {
    return check(createPrivateKey(pem));
  } catch {
    return false;
  }
}

function made({ cluster, tls, authorities, role, now }: Leaf): KeyPair {
  const authority = CertificateAuthority.load(authorities.current);
  const [{ validTo } = { validTo: '' }] = chainOf(authority.certificate);
  const end = now.getTime() + tls.certificateLifeInSecond * 1_000;
  const validity = {
    notBefore: new Date(now.getTime() - BACKDATED_MS),
    // A certificate is worth nothing after the end of its authority.
    notAfter: new Date(Math.min(end, new Date(validTo).getTime())),
  };
  // Without CN: where users of etcd log in, its gateway refuses clients whose certificate has one.
  if (role === 'client')
    return authority.issueClient({ subject: [['O', `etcd ${cluster.metadata.namespace}/${cluster.metadata.name}`]], ...validity });
  return authority.issueServing({ ...namesOf(cluster, tls), isAlsoClient: true, ...validity });
}

/** Members have names that are not known before they are made. A peer is known by the name of its address, which DNS gives with the domain of the cluster behind. */
function namesOf(
  cluster: Managed,
  { dnsNames = [], ipAddresses = [] }: ManagedTls,
): { readonly dnsNames: string[]; readonly ipAddresses: string[] } {
  const { namespace } = cluster.metadata;
  const domain = cluster.spec.pod.ClusterDomain === '' ? '.cluster.local' : cluster.spec.pod.ClusterDomain;
  const members = hostOf(cluster, '*');
  const service = `${clientServiceName(cluster)}.${namespace}.svc`;
  const all = [members, `*.${cluster.metadata.name}.${namespace}.svc${domain}`, service, `${service}${domain}`, 'localhost', ...dnsNames];
  return { dnsNames: [...new Set(all)], ipAddresses: [...new Set(['127.0.0.1', ...ipAddresses])] };
}
