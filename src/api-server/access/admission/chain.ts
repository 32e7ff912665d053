import type { Admission, AdmissionRequest, JsonObject } from '../../contract/index.js';
import type { AdmissionPlugin, AdmissionRound } from './plugin.js';

/**
 * Admission as a row of plugins: first all that may change the object, a second time if a webhook did change it; then, after the registry's own
 * validation, all that may only refuse.
 *
 * Source: apiserver `pkg/admission/{chain,reinvocation}.go`.
 */
export class AdmissionChain implements Admission {
  readonly #plugins: readonly AdmissionPlugin[];

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
  }

  async mutate(request: AdmissionRequest): Promise<JsonObject | undefined> {
    const memory = new Map<string, object>();
    const first = new Round(memory, false);
    const object = await this.#mutateOnce(request, first);
    if (!first.wantsReinvocation) return object;
    return this.#mutateOnce(withObject(request, object), new Round(memory, true));
  }

  async validate(request: AdmissionRequest): Promise<void> {
    for (const plugin of this.#plugins) {
      const done = plugin.validate?.(request);
      if (done !== undefined) await done;
    }
  }

  async #mutateOnce(request: AdmissionRequest, round: Round): Promise<JsonObject | undefined> {
    let current = request;
    for (const plugin of this.#plugins) {
      if (plugin.mutate === undefined) continue;
      const outcome = plugin.mutate(current, round);
      const object = outcome instanceof Promise ? await outcome : outcome;
      if (object !== current.object) current = withObject(current, object);
    }
    return current.object;
  }
}

class Round implements AdmissionRound {
  readonly isReinvocation: boolean;
  readonly #memory: Map<string, object>;
  #wantsReinvocation = false;

  constructor(memory: Map<string, object>, isReinvocation: boolean) {
    this.#memory = memory;
    this.isReinvocation = isReinvocation;
  }

  get wantsReinvocation(): boolean {
    return this.#wantsReinvocation;
  }

  requestReinvocation(): void {
    this.#wantsReinvocation = true;
  }

  memory<T extends object>(plugin: string, make: () => T): T {
    const known = this.#memory.get(plugin);
    if (known !== undefined) return known as T;
    const made = make();
    this.#memory.set(plugin, made);
    return made;
  }
}

function withObject(request: AdmissionRequest, object: JsonObject | undefined): AdmissionRequest {
  return object === undefined ? request : { ...request, object };
}
