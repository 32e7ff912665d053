import type { AdmissionRequest, JsonObject } from '../../contract/index.js';

/** One station of admission, named as kube-apiserver's plugin of the same work. */
export interface AdmissionPlugin {
  readonly name: string;
  /** @returns the object to go on with. @throws StatusError to refuse. */
  mutate?(request: AdmissionRequest, round: AdmissionRound): Promise<JsonObject | undefined> | JsonObject | undefined;
  /** @throws StatusError to refuse. */
  validate?(request: AdmissionRequest): Promise<void> | void;
}

/** Mutating plugins run a second time when a webhook has changed the object. */
export interface AdmissionRound {
  readonly isReinvocation: boolean;
  requestReinvocation(): void;
  /** The memory of a plugin between the two rounds of one request. */
  memory<T extends object>(plugin: string, make: () => T): T;
}
