import { equalJson } from '@keelson/kubernetes/apimachinery';
import type { AdmissionVariables, CompiledMutatingPolicy } from '@keelson/kubernetes/cel';
import type { AdmissionRequest, JsonObject } from '../../../contract/index.js';
import { notFound, plainError, StatusError } from '../../../status/index.js';
import { isExempt, type VersionedResource } from '../match/index.js';
import type { AdmissionPlugin, AdmissionRound } from '../plugin.js';
import { refused } from '../refusal.js';
import { conditionVariables, type Objects, objectsAt } from '../webhooks/index.js';
import { matchOf } from './matching.js';
import { namespaceObjectOf } from './namespace-object.js';
import { paramsOf } from './params.js';
import { patchedObject } from './patched-object.js';
import { type Binding, MUTATING, type MutatingPolicy, PolicySource } from './stored-policy.js';
import type { PolicySurroundings } from './validating.js';

/** One policy, binding and parameter object that are about a request. */
interface Invocation {
  readonly policy: MutatingPolicy;
  readonly compiled: CompiledMutatingPolicy;
  readonly binding: Binding;
  readonly at: VersionedResource;
  readonly params: JsonObject | null;
}

interface Denial {
  readonly policy: MutatingPolicy;
  readonly binding?: Binding;
  readonly message: string;
  readonly isInvalid: boolean;
}

/** Which invocations have to see the object again. Source: apiserver `pkg/admission/plugin/policy/mutating/reinvocationcontext.go`. */
interface Reinvocations {
  lastOutput: JsonObject | undefined;
  previous: Set<string>;
  readonly wanted: Set<string>;
}

/**
 * MutatingAdmissionPolicy: patches in CEL, one after the other, each seeing what those before it have made of the object.
 *
 * Source: apiserver `pkg/admission/plugin/policy/mutating/dispatcher.go`, `…/generic/policy_dispatcher.go`.
 */
export function mutatingAdmissionPolicies(surroundings: PolicySurroundings): AdmissionPlugin {
  const source = new PolicySource(surroundings.cluster, MUTATING);
  return {
    name: 'MutatingAdmissionPolicy',
    mutate(request, round) {
      // A deletion has nothing that could be changed.
      const bound = request.operation === 'DELETE' || isExempt(request) ? [] : source.bound();
      return bound.length === 0 ? request.object : new PolicyMutation(request, round, surroundings).run(bound);
    },
  };
}

class PolicyMutation {
  readonly #request: AdmissionRequest;
  readonly #round: AdmissionRound;
  readonly #surroundings: PolicySurroundings;
  readonly #memory: Reinvocations;
  readonly #denials: Denial[] = [];
  /** The objects at the versions that policies match; each has its own, as in the server. */
  readonly #objects = new Map<string, Objects>();
  /** The version that was changed last: it is what the request goes on with. */
  #changed: { readonly key: string } | undefined;

  constructor(request: AdmissionRequest, round: AdmissionRound, surroundings: PolicySurroundings) {
    this.#request = request;
    this.#round = round;
    this.#surroundings = surroundings;
    this.#memory = round.memory('MutatingAdmissionPolicy', () => ({
      lastOutput: undefined,
      previous: new Set<string>(),
      wanted: new Set<string>(),
    }));
  }

  async run(bound: readonly (readonly [MutatingPolicy, readonly Binding[]])[]): Promise<JsonObject | undefined> {
    const invocations = bound.flatMap(([policy, bindings]) => this.#invocationsOf(policy, bindings));
    const object = invocations.length === 0 ? this.#request.object : await this.#invokeAll(invocations);
    const denials = this.#denials.filter(({ policy }) => !policy.failsOpen);
    if (denials.length > 0) throw refusalOf(denials, this.#request);
    return object;
  }

  #invocationsOf(policy: MutatingPolicy, bindings: readonly Binding[]): readonly Invocation[] {
    const at = this.#attempt(policy, undefined, () => matchOf(policy.match, this.#request, this.#surroundings));
    if (at === undefined) return [];
    const { compiled } = policy;
    if (typeof compiled === 'string') {
      this.#misconfigured(policy, undefined, compiled);
      return [];
    }
    return bindings.flatMap((binding) => {
      const matched = this.#attempt(policy, binding, () => matchOf(binding.match, this.#request, this.#surroundings));
      if (matched === undefined) return [];
      const found = paramsOf(policy, binding, { ...this.#surroundings, namespace: this.#request.namespace });
      if (typeof found !== 'string') return found.map((params) => ({ policy, compiled, binding, at, params }));
      this.#misconfigured(policy, binding, found);
      return [];
    });
  }

  async #invokeAll(invocations: readonly Invocation[]): Promise<JsonObject | undefined> {
    const memory = this.#memory;
    // Plugins of the server itself, or webhooks, may have changed the object since.
    if (this.#round.isReinvocation && !equalJson(memory.lastOutput, this.#request.object)) requireReinvocation(memory);
    const namespaceObject = namespaceObjectOf(this.#request, this.#surroundings.cluster);
    if (namespaceObject === undefined && isNamespaced(this.#request))
      throw notFound({ group: '', plural: 'namespaces' }, this.#request.namespace);
    for (const invocation of invocations) await this.#invoke(invocation, namespaceObject ?? null);
    memory.lastOutput = await this.#atRequestVersion();
    return memory.lastOutput;
  }

  async #invoke(invocation: Invocation, namespaceObject: JsonObject | null): Promise<void> {
    const { policy, compiled, binding, at } = invocation;
    const key = versionKey(at);
    const objects = this.#objects.get(key) ?? (await objectsAt(this.#request, this.#request, at));
    this.#objects.set(key, objects);
    const matches = compiled.matches(this.#variables(invocation, objects, namespaceObject));
    // A condition that cannot be evaluated is not met where the policy fails open.
    if (typeof matches === 'string') this.#denials.push({ policy, binding, message: matches, isInvalid: true });
    if (matches !== true) return;
    const name = keyOf(invocation);
    if (this.#round.isReinvocation && !this.#memory.wanted.has(name)) return;
    const after = this.#mutated(invocation, objects, namespaceObject);
    if (!equalJson(after.object, objects.object)) this.#requestReinvocation();
    if (policy.reinvocationPolicy === 'IfNeeded') this.#memory.previous.add(name);
  }

  /** The objects behind all mutations of a policy, each of which sees what the one before has made. */
  #mutated(invocation: Invocation, before: Objects, namespaceObject: JsonObject | null): Objects {
    const { policy, binding, compiled, at } = invocation;
    const key = versionKey(at);
    let objects = before;
    for (const mutation of compiled.mutations) {
      const { object } = objects;
      if (object === undefined) continue;
      const outcome = mutation(this.#variables(invocation, objects, namespaceObject));
      if ('panics' in outcome) throw panicked();
      const patched = 'failed' in outcome ? outcome : patchedObject(object, outcome, { request: this.#request, at });
      if ('failed' in patched) {
        this.#denials.push({ policy, binding, message: patched.failed, isInvalid: true });
        continue;
      }
      objects = { ...objects, object: patched.object };
      this.#objects.set(key, objects);
      this.#changed = { key };
    }
    return objects;
  }

  #variables({ at, params }: Invocation, objects: Objects, namespaceObject: JsonObject | null): AdmissionVariables {
    return { ...conditionVariables({ ...this.#request, ...objects }, at), namespaceObject, params };
  }

  /** A mutation that was evaluated counts as a change, whatever it has come to. */
  async #atRequestVersion(): Promise<JsonObject | undefined> {
    if (this.#changed === undefined) return this.#request.object;
    this.#requestReinvocation();
    const { object: current } = this.#objects.get(this.#changed.key) ?? {};
    const { object } = await objectsAt({ ...(current && { object: current }) }, this.#request, this.#request.served);
    return object;
  }

  #requestReinvocation(): void {
    requireReinvocation(this.#memory);
    this.#round.requestReinvocation();
  }

  /** A selector that cannot be judged is the fault of the policy's configuration. */
  #attempt<T>(policy: MutatingPolicy, binding: Binding | undefined, step: () => T): T | undefined {
    try {
      return step();
    } catch (error) {
      if (!StatusError.isStatusError(error)) throw error;
      this.#misconfigured(policy, binding, error.message);
      return undefined;
    }
  }

  #misconfigured(policy: MutatingPolicy, binding: Binding | undefined, problem: string): void {
    const message = `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${problem}`;
    this.#denials.push({ policy, ...(binding && { binding }), message, isInvalid: false });
  }
}

function requireReinvocation(memory: Reinvocations): void {
  for (const key of memory.previous) memory.wanted.add(key);
  memory.previous = new Set();
}

function isNamespaced({ namespace, served: { resource } }: AdmissionRequest): boolean {
  return namespace !== '' && !(resource.group === '' && resource.plural === 'namespaces');
}

function versionKey({ resource, version }: VersionedResource): string {
  return `${resource.group}/${version.version}/${resource.kind}`;
}

function keyOf({ policy, binding, params }: Invocation): string {
  const { namespace = '', name = '' } = (params?.['metadata'] ?? {}) as { readonly namespace?: string; readonly name?: string };
  return [policy.name, binding.name, namespace, name].join('\0');
}

/** A real server breaks off the connection, and goes on. */
function panicked(): StatusError {
  return plainError('This request caused apiserver to panic. Look in the logs for details.');
}

/** The reason is that of the first denial, the code stays that of a refusal. */
function refusalOf(denials: readonly Denial[], request: AdmissionRequest): StatusError {
  const causes = denials.map((denial) => ({ message: textOf(denial) }));
  const { status } = refused(request, 'admission request denied by policy', causes);
  const [first] = denials;
  return new StatusError({ ...status, message: causes[0]?.message ?? '', ...(first?.isInvalid === true ? { reason: 'Invalid' } : {}) });
}

function textOf({ policy, binding, message }: Denial): string {
  if (binding === undefined) return `policy ${JSON.stringify(policy.name)} denied request: ${message}`;
  return `policy '${policy.name}' with binding '${binding.name}' denied request: ${message}`;
}
