import { Secret } from '@keelson/kubernetes/kinds';
import type { Logger, SelfManagedCertificateSettings } from 'keelson/internal/definition';
import { type ApiClient, isAlreadyExists, isConflict, isInvalid, isNotFound, type NamespacedKey } from '../client/index.js';
import type { Clock } from '../clock/index.js';
import { type Held, heldIn, issued, issuedAtMs, newSecret, type StoredSecret } from './certificate-secret.js';
import { inject, type Target, targetsOf } from './injection.js';
import type { Keeper, Shelf } from './keeper.js';

export interface SelfManagedOptions {
  readonly settings: SelfManagedCertificateSettings;
  readonly client: Pick<ApiClient, 'get' | 'create' | 'update' | 'patch'>;
  readonly namespace: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly lifeMs: number;
  readonly propagationMs: number;
}

/** The share of its life after which a certificate is replaced. */
const WORN_OUT = 2 / 3;
/** A request that hangs leaves time for another. */
const DEADLINE_MS = 10_000;
/** Another writer may be quicker, but not for ever. */
const TRIES = 5;
/** How far the clocks of two replicas may be apart. */
const CLOCK_SKEW_MS = 30_000;

/**
 * Issues the certificate, keeps it in a Secret that all replicas share, and makes API servers trust it.
 *
 * Flow of a look: read the Secret → issue anew when it is missing or useless, or two thirds of its life are over → write the bundle into configurations
 * and CRDs → when all have it, and had it for `propagationMs`, show the certificate.
 * Guarantees: replicas agree, by the resource version of the Secret: the loser takes the winner's. No certificate is shown before what has signed it is in
 * every bundle, and the former stays in the bundles until its end (H61); a bundle that a user takes away is put back with the next look. A certificate that
 * still holds is served though the API server cannot be reached.
 */
export class SelfManagedKeeper implements Keeper {
  readonly #options: SelfManagedOptions;
  readonly #shelf: Shelf;
  readonly #key: NamespacedKey;
  readonly #targets: readonly Target[];
  /** A certificate that waits until API servers have learnt of its authority. */
  #pending: { readonly print: string; readonly sinceMs: number } | undefined;

  constructor(options: SelfManagedOptions, shelf: Shelf) {
    this.#options = options;
    this.#shelf = shelf;
    this.#key = { namespace: options.namespace, name: options.settings.secretName };
    this.#targets = targetsOf(options.settings);
  }

  async look(signal: AbortSignal): Promise<number | undefined> {
    const held = await this.#secured(signal);
    const { wasMissing, problem } = await this.#injected(held, signal);
    if (problem !== undefined) {
      // Serve this one rather than nothing. But a rotated certificate waits until its authority is injected: clients would not trust it yet.
      if (this.#hasNothingBetter(held) && held.bundle.length < 2) this.#shelf.use(held.serving);
      throw problem;
    }
    if (wasMissing) this.#pending = undefined;
    const waitMs = this.#waitMs(held);
    if (waitMs > 0) return waitMs;
    this.#shelf.use(held.serving);
    return this.#isWornOut(held) ? 0 : undefined;
  }

  /** The content of the Secret, which has been renewed if need be. */
  async #secured(signal: AbortSignal): Promise<Held> {
    const { settings, clock } = this.#options;
    for (let tries = 1; ; tries++) {
      const secret = await this.#read(signal);
      const held = secret === undefined ? 'there is no Secret' : heldIn(secret, { dnsNames: settings.dnsNames, nowMs: clock.wallMs() });
      const why = typeof held === 'string' ? held : this.#renewal(held);
      if (why === undefined && typeof held !== 'string') return held;
      try {
        await this.#renew(secret, why ?? '', signal);
      } catch (error) {
        // Another replica was quicker: what it has issued is as good.
        if ((!isConflict(error) && !isAlreadyExists(error) && !isNotFound(error)) || tries === TRIES) throw error;
      }
    }
  }

  /** Why a certificate that is of use should be replaced. One that is not shown yet waits for its turn first: the bundle would grow faster than it is read. */
  #renewal(held: Held): string | undefined {
    const isShown = this.#shelf.inUse?.leaf.fingerprint256 === held.serving.leaf.fingerprint256;
    return isShown && this.#isWornOut(held) ? 'two thirds of its life are over' : undefined;
  }

  #isWornOut({ serving: { notBefore, notAfter } }: Held): boolean {
    const lifeMs = notAfter.getTime() - notBefore.getTime();
    return this.#options.clock.wallMs() >= notBefore.getTime() + lifeMs * WORN_OUT;
  }

  async #read(signal: AbortSignal): Promise<StoredSecret | undefined> {
    try {
      return await this.#options.client.get(Secret, this.#key, { signal, deadlineMs: DEADLINE_MS });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #renew(secret: StoredSecret | undefined, why: string, signal: AbortSignal): Promise<void> {
    const { client, clock, log, lifeMs, settings } = this.#options;
    const data = issued(secret, { dnsNames: settings.dnsNames, nowMs: clock.wallMs(), lifeMs });
    const call = { signal, deadlineMs: DEADLINE_MS };
    if (secret === undefined) await client.create(Secret, newSecret(this.#key, data), call);
    // With the resourceVersion of what was read; what others keep in the Secret stays.
    else await client.update(Secret, { ...secret, data: { ...secret.data, ...data } }, call);
    log.info('a serving certificate has been issued', { secretName: this.#key.name, namespace: this.#key.namespace, why });
  }

  /** Puts the bundle where it is missing. A target that cannot be written keeps none of the others from being trusted. */
  async #injected({ bundle }: Held, signal: AbortSignal): Promise<{ readonly wasMissing: boolean; readonly problem: Error | undefined }> {
    let wasMissing = false;
    let problem: Error | undefined;
    for (const target of this.#targets) {
      try {
        if (await this.#injectedInto(target, { bundle, signal })) wasMissing = true;
      } catch (error) {
        signal.throwIfAborted();
        problem ??= error as Error;
      }
    }
    return { wasMissing, problem };
  }

  async #injectedInto(
    target: Target,
    { bundle, signal }: { readonly bundle: Held['bundle']; readonly signal: AbortSignal },
  ): Promise<boolean> {
    const { client, clock, log } = this.#options;
    for (let tries = 1; ; tries++) {
      try {
        const wasMissing = await inject(client, target, { bundle, nowMs: clock.wallMs(), signal, deadlineMs: DEADLINE_MS });
        if (wasMissing)
          log.info('the authority of the serving certificate has been written', { kind: target.kind.kind, name: target.name });
        return wasMissing;
      } catch (error) {
        // The test of the patch failed: another client has written since.
        if ((!isConflict(error) && !isInvalid(error)) || tries === TRIES) throw error;
      }
    }
  }

  /** How long a certificate that is not shown yet has to wait: an API server learns by a watch, a moment after the write, whom to trust. */
  #waitMs(held: Held): number {
    const { clock, propagationMs } = this.#options;
    const print = held.serving.leaf.fingerprint256;
    if (this.#shelf.inUse?.leaf.fingerprint256 === print) return 0;
    if (this.#hasNothingBetter(held) && !isRotatedNow(held, clock.wallMs() - propagationMs)) return 0;
    if (this.#pending?.print !== print) this.#pending = { print, sinceMs: clock.monotonicMs() };
    return Math.max(0, this.#pending.sinceMs + propagationMs - clock.monotonicMs());
  }

  #hasNothingBetter({ serving }: Held): boolean {
    const { inUse } = this.#shelf;
    if (inUse === undefined) return true;
    return inUse.leaf.fingerprint256 !== serving.leaf.fingerprint256 && inUse.notAfter.getTime() <= this.#options.clock.wallMs();
  }
}

/** A process that starts in the middle of a rotation waits as the others do: they answer meanwhile. */
function isRotatedNow({ bundle, serving }: Held, sinceMs: number): boolean {
  return bundle.length > 1 && issuedAtMs(serving) >= sinceMs - CLOCK_SKEW_MS;
}
