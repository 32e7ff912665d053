import { messageOf } from '@keelson/kubernetes/apimachinery';
import type { KeyPair } from '@keelson/kubernetes/certificates';
import type { Logger, RuntimeSettings } from 'keelson/internal/definition';
import type { ApiClient } from '../client/index.js';
import type { Clock } from '../clock/index.js';
import { CertificateManagerError } from './errors.js';
import type { Keeper, Shelf } from './keeper.js';
import { MountedKeeper } from './mounted.js';
import type { CertificateObserver } from './observer.js';
import { SelfManagedKeeper } from './self-managed.js';
import type { ServingCertificate } from './serving-certificate.js';

export interface CertificateManagerOptions {
  readonly settings: NonNullable<RuntimeSettings['certificates']>;
  /** For `selfManaged`. */
  readonly client?: Pick<ApiClient, 'get' | 'create' | 'update' | 'patch'> | undefined;
  /** Where the Secret is, for `selfManaged`: the process's own. */
  readonly namespace?: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly observer?: CertificateObserver | undefined;
  readonly random?: (() => number) | undefined;
  /** How long a certificate that is issued here holds, in milliseconds. @defaultValue 7_776_000_000 — 90 days: it is replaced after 60 */
  readonly lifeMs?: number | undefined;
  /** Pause between two looks at Secret and configurations, or files, in milliseconds. @defaultValue 10_000 — as controller-runtime looks at files */
  readonly checkMs?: number | undefined;
  /** How long API servers may take to learn of a bundle that has been written, in milliseconds. @defaultValue 10_000 */
  readonly propagationMs?: number | undefined;
}

const DEFAULTS = { lifeMs: 90 * 24 * 3_600_000, checkMs: 10_000, propagationMs: 10_000 };
/** Pauses after failures: so long at first, doubled up to the usual pause. */
const FIRST_RETRY_MS = 500;
/** Pauses are up to so much longer, so that replicas do not look together. */
const JITTER = 0.2;

/**
 * Has the certificate that webhooks and metrics are served with, and keeps it fresh: issued here (`selfManaged`) or by another tool (`mounted`).
 *
 * Flow: `start` → looks, again and again → `ready` → `stop`. Every replica does so; no leader is needed.
 * Guarantees: `current` is a certificate with its key, and changes only to another; what goes wrong leaves it in use, is logged once and tried again. No key is
 * ever logged. After `stop` no timer, watcher or listener is left.
 * Errors: {@link CertificateManagerError} for settings that cannot work; else `problem` is the reason why there is no certificate.
 */
export class CertificateManager {
  readonly #options: CertificateManagerOptions;
  readonly #checkMs: number;
  readonly #keeper: Keeper;
  readonly #listeners = new Set<(pair: KeyPair) => void>();
  readonly #end = new AbortController();
  #inUse: ServingCertificate | undefined;
  #running: Promise<void> | undefined;
  /** Ends the pause between two looks. */
  #wake: (() => void) | undefined;
  #isHinted = false;
  #failures = 0;
  #lastProblem = '';

  /** @throws CertificateManagerError for `selfManaged` without client or namespace */
  constructor(options: CertificateManagerOptions) {
    this.#options = options;
    this.#checkMs = options.checkMs ?? DEFAULTS.checkMs;
    this.#keeper = keeperOf(options, this.#shelf());
  }

  /** The certificate to be shown now. */
  get current(): KeyPair | undefined {
    return this.#inUse?.pair;
  }

  /** Why clients could not trust this process, for readiness; `undefined` when there is a certificate that holds. */
  get problem(): string | undefined {
    if (this.#inUse === undefined) return `there is no serving certificate yet${this.#lastProblem === '' ? '' : `: ${this.#lastProblem}`}`;
    const { notAfter } = this.#inUse;
    if (notAfter.getTime() > this.#options.clock.wallMs()) return undefined;
    return `the serving certificate has ended at ${notAfter.toISOString()}${this.#lastProblem === '' ? '' : `: ${this.#lastProblem}`}`;
  }

  /** @returns what ends it */
  onChange(listener: (pair: KeyPair) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** May be called again: it is one start. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when there is a certificate. @throws the signal's reason, and CertificateManagerError when the manager has been stopped before */
  ready(signal?: AbortSignal): Promise<void> {
    if (this.#inUse !== undefined) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const settle = (outcome: () => void): void => {
        unsubscribe();
        signal?.removeEventListener('abort', abort);
        this.#end.signal.removeEventListener('abort', stopped);
        outcome();
      };
      const abort = (): void => settle(() => reject(signal?.reason as Error));
      const stopped = (): void =>
        settle(() => reject(new CertificateManagerError('the certificate manager was stopped before it had a certificate')));
      const unsubscribe = this.onChange(() => settle(resolve));
      signal?.addEventListener('abort', abort, { once: true });
      this.#end.signal.addEventListener('abort', stopped, { once: true });
      if (signal?.aborted === true) abort();
      else if (this.#end.signal.aborted) stopped();
    });
  }

  async stop(): Promise<void> {
    this.#end.abort(new Error('the certificate manager is being stopped'));
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#end;
    const unhint = this.#keeper.hint?.(() => {
      this.#isHinted = true;
      this.#wake?.();
    });
    while (!signal.aborted) {
      this.#isHinted = false;
      const againMs = await this.#look(signal);
      await this.#pause(againMs, signal);
    }
    unhint?.();
  }

  /** @returns the pause until the next look */
  async #look(signal: AbortSignal): Promise<number> {
    const { random = Math.random } = this.#options;
    try {
      const againMs = await this.#keeper.look(signal);
      this.#solved();
      return againMs ?? this.#checkMs * (1 + JITTER * random());
    } catch (error) {
      if (signal.aborted) return 0;
      this.#failed(error);
      return Math.min(FIRST_RETRY_MS * 2 ** Math.min(this.#failures++, 20), this.#checkMs) * (1 + JITTER * random());
    }
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted || this.#isHinted) return resolve();
      const end = (): void => {
        cancel();
        signal.removeEventListener('abort', end);
        this.#wake = undefined;
        resolve();
      };
      const cancel = this.#options.clock.schedule(ms, end);
      this.#wake = end;
      signal.addEventListener('abort', end, { once: true });
    });
  }

  #shelf(): Shelf {
    const current = (): ServingCertificate | undefined => this.#inUse;
    return {
      get inUse(): ServingCertificate | undefined {
        return current();
      },
      use: (certificate) => this.#use(certificate),
    };
  }

  #use(certificate: ServingCertificate): void {
    const { pair, leaf, notAfter } = certificate;
    if (this.#inUse?.pair.certificate === pair.certificate && this.#inUse.pair.privateKey === pair.privateKey) return;
    this.#inUse = certificate;
    this.#tell('read');
    this.#tell('expires', notAfter);
    const { log } = this.#options;
    log.info('a serving certificate is in use', {
      serial: leaf.serialNumber,
      notAfter: notAfter.toISOString(),
      names: leaf.subjectAltName,
    });
    for (const listener of [...this.#listeners]) {
      try {
        listener(pair);
      } catch (error) {
        log.error('a listener for new certificates failed', { error: messageOf(error) });
      }
    }
  }

  /** Says a problem once, however often it comes back. */
  #failed(error: unknown): void {
    const { log } = this.#options;
    this.#tell('readFailed');
    const problem = messageOf(error);
    const message =
      this.#inUse === undefined ? 'there is no serving certificate yet' : 'the serving certificate cannot be looked after; it stays in use';
    if (problem === this.#lastProblem) log.debug(message, { problem });
    else log.warn(message, { problem });
    this.#lastProblem = problem;
  }

  #solved(): void {
    this.#failures = 0;
    if (this.#lastProblem !== '') this.#options.log.info('the serving certificate is looked after again');
    this.#lastProblem = '';
  }

  #tell<TName extends keyof CertificateObserver>(name: TName, ...args: Parameters<NonNullable<CertificateObserver[TName]>>): void {
    const { observer, log } = this.#options;
    try {
      (observer?.[name] as ((...given: typeof args) => void) | undefined)?.apply(observer, args);
    } catch (error) {
      log.error('the observer of certificates failed', { error: messageOf(error) });
    }
  }
}

function keeperOf(options: CertificateManagerOptions, shelf: Shelf): Keeper {
  const { settings, client, namespace, clock, log, lifeMs = DEFAULTS.lifeMs, propagationMs = DEFAULTS.propagationMs } = options;
  if (settings.mode === 'mounted') return new MountedKeeper({ settings, clock, log }, shelf);
  if (client === undefined || namespace === undefined || namespace === '')
    throw new CertificateManagerError('a self-managed certificate needs a client, and the namespace of the process: set POD_NAMESPACE');
  return new SelfManagedKeeper({ settings, client, namespace, clock, log, lifeMs, propagationMs }, shelf);
}
