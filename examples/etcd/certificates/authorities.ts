import { CertificateAuthority, type KeyPair } from 'keelson/certificates';
import type { Secret } from 'keelson/kinds';
import { chainOf, lastMoment } from './check.js';
import { textOf } from './files.js';

/** The authorities of a cluster. */
export interface Authorities {
  /** Signs. */
  readonly current: KeyPair;
  /** Signs when its turn comes, and is trusted already. */
  readonly next: KeyPair;
  /** PEM of those that have signed before. */
  readonly former: string;
}

/** Clocks of two machines differ. */
export const BACKDATED_MS = 5 * 60_000;

// #region authorities
/**
 * The authorities as they are from now on; the same value if nothing changes.
 *
 * etcd reads its own certificate at each handshake, and the authorities that it trusts once, when it starts. The next authority is therefore made together with
 * the current one, and members trust both: its turn comes without a restart. A third of its life later the one after it is made.
 *
 * @param trustsNext whether all processes have started since the next authority was made; until then the current one goes on
 */
export function authoritiesAt(held: Authorities | undefined, now: Date, options: AuthorityOptions): Authorities {
  const { lifeMs, nameFor, trustsNext } = options;
  const made = (part: 'first' | 'next'): KeyPair =>
    CertificateAuthority.create({
      commonName: nameFor(now, part),
      notBefore: new Date(now.getTime() - BACKDATED_MS),
      notAfter: new Date(now.getTime() + lifeMs),
    }).toKeyPair();
  if (held === undefined) return { current: made('first'), next: made('next'), former: '' };
  const { current, next, former } = held;
  const isDue = now.getTime() - madeAt(next).getTime() >= lifeMs / 3;
  if (!isDue || !trustsNext(madeAt(next))) return held;
  const kept = chainOf(`${current.certificate}${former}`).filter((one) => lastMoment(one) > now);
  return { current: next, next: made('next'), former: kept.map(String).join('') };
}
// #endregion

export interface AuthorityOptions {
  readonly lifeMs: number;
  /** Two that meet in one bundle have two names. */
  readonly nameFor: (now: Date, part: 'first' | 'next') => string;
  readonly trustsNext: (madeAt: Date) => boolean;
}

export function bundleOf({ current, next, former }: Authorities): string {
  return `${current.certificate}${next.certificate}${former}`;
}

export function madeAt({ certificate }: KeyPair): Date {
  return new Date(new Date(chainOf(certificate)[0]?.validFrom ?? 0).getTime() + BACKDATED_MS);
}

/** Undefined when the Secret does not hold them. */
export function authoritiesIn(secret: Pick<Secret, 'data'> | undefined): Authorities | undefined {
  const current = { certificate: textOf(secret, 'ca.crt'), privateKey: textOf(secret, 'ca.key') };
  const next = { certificate: textOf(secret, 'next.crt'), privateKey: textOf(secret, 'next.key') };
  const isWhole = [current, next].every(({ certificate, privateKey }) => certificate !== '' && privateKey !== '');
  return isWhole ? { current, next, former: textOf(secret, 'former.crt') } : undefined;
}

export function authorityTexts({ current, next, former }: Authorities): Readonly<Record<string, string>> {
  return {
    'ca.crt': current.certificate,
    'ca.key': current.privateKey,
    'next.crt': next.certificate,
    'next.key': next.privateKey,
    'former.crt': former,
  };
}
