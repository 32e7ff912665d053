import type { Pod } from '@keelson/kubernetes/kinds';
import type { Clock } from '../../clock/index.js';
import type { PodObjects } from './pod-objects.js';

/** A kubelet fetches a new token when this part of the old one's life is over. Source: kubernetes `pkg/kubelet/token/token_manager.go`. */
const RENEW_AFTER = 0.8;

interface Token {
  readonly text: string;
  readonly renewMs: number;
}

/** The ServiceAccount tokens in the projected volumes of one Pod, by their path. */
export class PodTokens {
  readonly #objects: PodObjects;
  readonly #clock: Clock;
  readonly #tokens = new Map<string, Token>();

  constructor(objects: PodObjects, clock: Clock) {
    this.#objects = objects;
    this.#clock = clock;
  }

  of(path: string): string | undefined {
    return this.#tokens.get(path)?.text;
  }

  /** Gets tokens that are missing or old. @returns milliseconds until the next renewal; undefined if the Pod has no token */
  async renew(pod: Pod): Promise<number | undefined> {
    const nowMs = this.#clock.now().getTime();
    for (const { projected } of pod.spec.volumes ?? []) {
      for (const { serviceAccountToken } of projected?.sources ?? []) {
        if (serviceAccountToken === undefined) continue;
        const { path, expirationSeconds = 3600 } = serviceAccountToken;
        const known = this.#tokens.get(path);
        if (known !== undefined && known.renewMs > nowMs) continue;
        const text = await this.#objects.issueToken(pod, serviceAccountToken);
        this.#tokens.set(path, { text, renewMs: nowMs + expirationSeconds * 1000 * RENEW_AFTER });
      }
    }
    const next = Math.min(...[...this.#tokens.values()].map(({ renewMs }) => renewMs));
    return Number.isFinite(next) ? next - nowMs : undefined;
  }
}
