import type { LeaseSpec } from '@keelson/kubernetes/kinds';

/** The part of a Lease that names the leader. */
export interface LeaseRecord {
  /** Empty when the last leader has let go of it. */
  readonly holder: string;
  readonly durationMs: number;
  readonly acquireTime?: string | undefined;
  readonly renewTime?: string | undefined;
  readonly transitions: number;
}

export function recordOf(spec: LeaseSpec | undefined, byDefaultMs: number): LeaseRecord {
  return {
    holder: spec?.holderIdentity ?? '',
    durationMs: spec?.leaseDurationSeconds === undefined ? byDefaultMs : spec.leaseDurationSeconds * 1000,
    acquireTime: spec?.acquireTime,
    renewTime: spec?.renewTime,
    transitions: spec?.leaseTransitions ?? 0,
  };
}

/** The Lease of a replica that takes or renews it. */
export function heldSpec(before: LeaseRecord | undefined, identity: string, leaseMs: number, now: string): LeaseSpec {
  const isRenewal = before?.holder === identity;
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(leaseMs / 1000),
    acquireTime: (isRenewal ? before.acquireTime : undefined) ?? now,
    renewTime: now,
    leaseTransitions: before === undefined || isRenewal ? (before?.transitions ?? 0) : before.transitions + 1,
  };
}

/** A released Lease: every replica may take it at once. As client-go writes it. */
export function releasedSpec(before: LeaseRecord, now: string): LeaseSpec {
  return { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now, leaseTransitions: before.transitions };
}

/**
 * When another replica may take the Lease: its duration after this process saw it change last.
 *
 * The times in the record are another machine's and never compared with this one's clock (H55).
 */
export class LeaseObservation {
  #text = '';
  #seenMs = 0;
  #record: LeaseRecord | undefined;

  get record(): LeaseRecord | undefined {
    return this.#record;
  }

  see(record: LeaseRecord, nowMs: number): void {
    const text = JSON.stringify([record.holder, record.renewTime, record.acquireTime, record.transitions, record.durationMs]);
    this.#record = record;
    if (text === this.#text) return;
    this.#text = text;
    this.#seenMs = nowMs;
  }

  /** In milliseconds; zero or less when it may be taken. */
  remainingMs(nowMs: number): number {
    return this.#record === undefined || this.#record.holder === '' ? 0 : this.#seenMs + this.#record.durationMs - nowMs;
  }
}
