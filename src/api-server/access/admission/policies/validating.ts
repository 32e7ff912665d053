import type { PolicyFailure } from '@keelson/kubernetes/cel';
import type { AdmissionRequest, ClusterView, ResourceCatalog } from '../../../contract/index.js';
import { forbidden, StatusError } from '../../../status/index.js';
import { isExempt, type VersionedResource } from '../match/index.js';
import type { AdmissionPlugin } from '../plugin.js';
import { conditionVariables, type Objects, objectsAt } from '../webhooks/index.js';
import { matchOf } from './matching.js';
import { namespaceObjectOf } from './namespace-object.js';
import { paramsOf } from './params.js';
import { type ValidatingBinding as Binding, type ValidatingPolicy as Policy, PolicySource, VALIDATING } from './stored-policy.js';

export interface PolicySurroundings {
  readonly cluster: ClusterView;
  readonly catalog: ResourceCatalog;
}

/** The policy and binding of the first denial, which is the one that the client sees. */
interface Denial {
  readonly policy: Policy;
  readonly binding?: Binding;
  readonly message: string;
  readonly reason?: string;
}

/** Codes of the reasons that a validation may name. */
const CODES: Readonly<Record<string, number>> = { Unauthorized: 401, Forbidden: 403, RequestEntityTooLarge: 413, Invalid: 422 };

/**
 * ValidatingAdmissionPolicy: CEL expressions over the object, bound with parameters.
 *
 * Audit annotations have no audit log to go to: they are not evaluated. An expression that asks the `authorizer` fails to run.
 * Source: apiserver `pkg/admission/plugin/policy/validating/dispatcher.go`.
 */
export function validatingAdmissionPolicies(surroundings: PolicySurroundings): AdmissionPlugin {
  const source = new PolicySource(surroundings.cluster, VALIDATING);
  return {
    name: 'ValidatingAdmissionPolicy',
    validate(request) {
      const bound = isExempt(request) ? [] : source.bound();
      return bound.length === 0 ? undefined : new PolicyRun(request, surroundings).check(bound);
    },
  };
}

class PolicyRun {
  readonly #request: AdmissionRequest;
  readonly #surroundings: PolicySurroundings;
  readonly #denials: Denial[] = [];

  constructor(request: AdmissionRequest, surroundings: PolicySurroundings) {
    this.#request = request;
    this.#surroundings = surroundings;
  }

  async check(bound: readonly (readonly [Policy, readonly Binding[]])[]): Promise<void> {
    for (const [policy, bindings] of bound) await this.#checkPolicy(policy, bindings);
    const [first] = this.#denials;
    if (first !== undefined) throw refusalOf(first, this.#request);
  }

  async #checkPolicy(policy: Policy, bindings: readonly Binding[]): Promise<void> {
    const at = this.#attempt(policy, undefined, () => matchOf(policy.match, this.#request, this.#surroundings));
    if (at === undefined) return;
    if (typeof policy.compiled === 'string') {
      this.#misconfigured(policy, undefined, policy.compiled);
      return;
    }
    const objects = await objectsAt(this.#request, this.#request, at);
    for (const binding of bindings) this.#checkBinding(policy, binding, { at, objects });
  }

  #checkBinding(policy: Policy, binding: Binding, { at, objects }: { readonly at: VersionedResource; readonly objects: Objects }): void {
    const matched = this.#attempt(policy, binding, () => matchOf(binding.match, this.#request, this.#surroundings));
    if (matched === undefined || typeof policy.compiled === 'string') return;
    const params = paramsOf(policy, binding, { ...this.#surroundings, namespace: this.#request.namespace });
    if (typeof params === 'string') {
      this.#misconfigured(policy, binding, params);
      return;
    }
    const variables = conditionVariables({ ...this.#request, ...objects }, at);
    const namespaceObject = namespaceObjectOf(this.#request, this.#surroundings.cluster) ?? null;
    for (const param of params) {
      const failures = policy.compiled.check({ ...variables, namespaceObject, params: param });
      for (const failure of failures) this.#act(policy, binding, failure);
    }
  }

  #act(policy: Policy, binding: Binding, { message, reason, evaluationError }: PolicyFailure): void {
    if (evaluationError === true && policy.failsOpen) return;
    if (binding.actions.includes('Warn')) {
      this.#request.context.warn(
        `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${message}`,
      );
    }
    if (binding.actions.includes('Deny')) this.#denials.push({ policy, binding, message, reason });
  }

  #misconfigured(policy: Policy, binding: Binding | undefined, problem: string): void {
    if (policy.failsOpen) return;
    const message = `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${problem}`;
    this.#denials.push({ policy, ...(binding && { binding }), message });
  }

  /** A selector that cannot be judged is the fault of the policy's configuration. */
  #attempt<T>(policy: Policy, binding: Binding | undefined, step: () => T): T | undefined {
    try {
      return step();
    } catch (error) {
      if (!StatusError.isStatusError(error)) throw error;
      this.#misconfigured(policy, binding, error.message);
      return undefined;
    }
  }
}

function refusalOf({ policy, binding, message, reason = 'Invalid' }: Denial, { served, name }: AdmissionRequest): StatusError {
  const by = binding === undefined ? '' : ` with binding '${binding.name}'`;
  const text = `ValidatingAdmissionPolicy '${policy.name}'${by} denied request: ${message}`;
  const { status } = forbidden(served.resource, name, text, [{ message: text }]);
  return new StatusError({ ...status, reason, code: CODES[reason] ?? 422 });
}
