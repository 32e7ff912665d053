import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Role, TlsFiles, TlsProblem } from './files.js';

const USAGES = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const;

/** Usages of a certificate, by role. Members show theirs to each other; and etcd's JSON gateway is a client of its own server, with the server's certificate. */
const SHOWN_AS: Readonly<Record<Role, readonly (keyof typeof USAGES)[]>> = {
  peer: ['server', 'client'],
  server: ['server', 'client'],
  client: ['client'],
};

/** Roles whose authorities must have signed it. */
const JUDGED_BY: Readonly<Record<Role, readonly Role[]>> = { peer: ['peer'], server: ['server', 'client'], client: ['server'] };

export interface Checked {
  /** By role; those that a cluster has. */
  readonly files: ReadonlyMap<Role, TlsFiles>;
  /** Names of Secrets, for messages. */
  readonly nameOf: (role: Role) => string;
  /** Host name of some member. */
  readonly host: string;
  readonly now: Date;
}

// #region check
/**
 * Why members, or the operator, would refuse each other with these certificates; undefined if they would not.
 *
 * etcd says little of it: members that do not trust each other are away, and a server certificate that is not one of a client fails every call of the gateway with
 * "connection closed". The Secrets are therefore checked before a process starts.
 */
export function certificateProblem(checked: Checked): TlsProblem | undefined {
  for (const role of checked.files.keys()) {
    const problem = problemOf(role, checked);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
// #endregion

/** When the first of the certificates ends; undefined without any that can be read. */
export function endOf(files: ReadonlyMap<Role, TlsFiles>): Date | undefined {
  const ends = [...files.values()].flatMap(({ certificate }) => chainOf(certificate)[0] ?? []);
  return ends.map(lastMoment).sort((a, b) => a.getTime() - b.getTime())[0];
}

function problemOf(role: Role, { files, nameOf, host, now }: Checked): TlsProblem | undefined {
  const { certificate, key } = files.get(role) ?? { certificate: '', key: '' };
  const where = `the certificate of Secret ${nameOf(role)}`;
  const chain = chainOf(certificate);
  const [leaf] = chain;
  const privateKey = keyOf(key);
  if (leaf === undefined || privateKey === undefined)
    return { reason: 'Unreadable', message: `${where}, or its key, is not PEM that can be read` };
  if (!leaf.checkPrivateKey(privateKey)) return { reason: 'KeyMismatch', message: `${where} does not belong to the key beside it` };
  if (lastMoment(leaf) <= now) return { reason: 'Expired', message: `${where} has ended at ${lastMoment(leaf).toISOString()}` };
  if (firstMoment(leaf) > now) return { reason: 'NotYetValid', message: `${where} begins at ${firstMoment(leaf).toISOString()}` };
  const lacking = SHOWN_AS[role].filter((usage) => leaf.keyUsage !== undefined && !leaf.keyUsage.includes(USAGES[usage]));
  if (lacking.length > 0)
    return { reason: 'WrongUsage', message: `${where} must be one of a ${lacking.join(' and a ')} too (its extended key usage)` };
  if (role !== 'client' && leaf.checkHost(host) === undefined)
    return {
      reason: 'WrongNames',
      message: `${where} is not for ${host}: members have new names, so it must be for all of that domain (*.…)`,
    };
  for (const judge of JUDGED_BY[role]) {
    const authorities = files.get(judge)?.authority;
    if (authorities !== undefined && !isVouched(chain, chainOf(authorities)))
      return { reason: 'Untrusted', message: `no authority of Secret ${nameOf(judge)} has signed ${where}` };
  }
  return undefined;
}

/** An authority has signed the first certificate, or one that has signed it and is in the same file. */
function isVouched([leaf, ...others]: readonly X509Certificate[], authorities: readonly X509Certificate[]): boolean {
  if (leaf === undefined) return false;
  const hasSigned = (one: X509Certificate): boolean => leaf.checkIssued(one) && leaf.verify(one.publicKey);
  if (authorities.some(hasSigned)) return true;
  const next = others.findIndex(hasSigned);
  return next >= 0 && isVouched(others.slice(next), authorities);
}

function firstMoment({ validFrom }: X509Certificate): Date {
  return new Date(validFrom);
}

export function lastMoment({ validTo }: X509Certificate): Date {
  return new Date(validTo);
}

/** The certificates of a PEM text; none, if one of them cannot be read. */
export function chainOf(pem: string): X509Certificate[] {
  try {
    return (pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []).map((block) => new X509Certificate(block));
  } catch {
    return [];
  }
}

function keyOf(pem: string) {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
