import { duplicate, validateLabels } from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../behaviour.js';
import {
  containerRequirementErrors,
  declared,
  declaredErrors,
  dnsLabel,
  type Errors,
  immutable,
  internalValue,
  neededThen,
  roundResourceList,
  those,
} from '../checks/index.js';
import { tolerationErrors } from '../core/index.js';
import type { RuntimeClass, Toleration } from '../drafts.js';

/** Source: kubernetes `pkg/registry/node/runtimeclass`, `pkg/apis/node/validation`. */
export const runtimeClasses: Behaviour<RuntimeClass> = {
  setDefaults: ({ overhead }) => roundResourceList(overhead?.podFixed),
  validate: runtimeClassErrors,
  validateUpdate: (runtime, old) => [
    ...runtimeClassErrors(runtime),
    ...declaredErrors(immutable(runtime.handler, old.handler, 'handler', null)),
  ],
  revalidatesMetadata: true,
  allowsCreateOnUpdate: true,
  allowsUnconditionalUpdate: false,
};

const handlerRule = declared(neededThen(dnsLabel));

function runtimeClassErrors({ handler, overhead, scheduling = {} }: RuntimeClass): Errors {
  const { nodeSelector, tolerations } = scheduling;
  return those(
    handlerRule(handler, 'handler'),
    !(overhead?.podFixed === undefined) && containerRequirementErrors({ limits: overhead.podFixed }, 'overhead', new Set()),
    nodeSelector !== undefined && validateLabels(nodeSelector, 'scheduling.nodeSelector'),
    tolerationErrors(tolerations ?? [], 'scheduling.tolerations'),
    sameTolerationErrors(tolerations ?? []),
  );
}

function sameTolerationErrors(tolerations: readonly Toleration[]): Errors {
  const seen = new Set<string>();
  return tolerations.flatMap((toleration, index) => {
    const { key = '', operator = '', value = '', effect = '' } = toleration;
    const id = JSON.stringify([key, operator, value, effect]);
    if (seen.has(id)) return [duplicate(`scheduling.tolerations[${index}]`, internalValue('core/v1.Toleration', toleration))];
    seen.add(id);
    return [];
  });
}
