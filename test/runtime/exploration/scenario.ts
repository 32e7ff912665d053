import type { OperatorModel } from '../../../src/definition/index.js';
import type { KindInfo } from '../../../src/kubernetes/index.js';
import type { ApiClient } from '../../../src/runtime/client/index.js';

/** What users of the operator do things with. */
export interface Stage {
  /** Of the test: no fault strikes it. */
  readonly client: ApiClient;
  readonly namespace: string;
  /** Lets time pass until it is so. */
  until(what: string, condition: () => Promise<boolean>): Promise<void>;
}

/** One performance of a scenario: operator, script, and what it leaves outside of the cluster. */
export interface Performance {
  readonly operator: OperatorModel;
  readonly steps: readonly ((stage: Stage) => Promise<unknown>)[];
  /** Names of objects whose owner is deleted: who does not know of that yet may make them again, and the garbage collector takes them. */
  readonly mortal?: readonly (string | RegExp)[] | undefined;
  /** What is compared beside the objects. */
  readonly outside?: ((stage: Stage) => unknown) | undefined;
}

export interface ClusterScope {
  /** Where the operator lives. */
  readonly operatorNamespace: string;
  /** Cluster-scoped: at the end of a performance all of them are deleted. */
  readonly kind: KindInfo;
}

export interface Scenario {
  readonly name: string;
  /** Kinds whose objects are compared. */
  readonly kinds: readonly KindInfo[];
  /** The operator works across namespaces, from one of its own; kubelets run Pods, and its webhooks are asked. */
  readonly cluster?: ClusterScope | undefined;
  perform(random: () => number): Performance;
}
