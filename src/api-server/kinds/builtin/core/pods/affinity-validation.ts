import { type FieldError, forbidden, invalid, labelValueProblems, required } from '@keelson/kubernetes/apimachinery';
import { dnsLabel, dnsSubdomain, type Errors, invalidEach, labelName, labelSelectorErrors, those } from '../../checks/index.js';
import type { Affinity, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, PodAffinity, PodAffinityTerm } from '../../drafts.js';

/** Where pods may run. Source: kubernetes `pkg/apis/core/validation` (`validateAffinity`). */
export function affinityErrors(affinity: Affinity | undefined, path: string): Errors {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity ?? {};
  const nodes = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const preferred = nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return those(
    nodes !== undefined && nodeSelectorErrors(nodes, `${path}.nodeAffinity.${REQUIRED}`),
    preferred.flatMap(({ weight, preference }, index) => {
      const field = `${path}.nodeAffinity.${PREFERRED}[${index}]`;
      return [...weightErrors(weight, field), ...nodeTermErrors(preference, `${field}.preference`, { isStrict: false })];
    }),
    podTermsErrors(podAffinity, `${path}.podAffinity`),
    podTermsErrors(podAntiAffinity, `${path}.podAntiAffinity`),
  );
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

function weightErrors(weight: number, path: string): Errors {
  return weight <= 0 || weight > 100 ? [invalid(`${path}.weight`, weight, 'must be in the range 1-100')] : [];
}

/** Also of PersistentVolumes. */
export function nodeSelectorErrors({ nodeSelectorTerms }: NodeSelector, path: string): Errors {
  const terms = nodeSelectorTerms ?? [];
  const field = `${path}.nodeSelectorTerms`;
  if (terms.length === 0) return [required(field, 'must have at least one node selector term')];
  return terms.flatMap((term, index) => nodeTermErrors(term, `${field}[${index}]`, { isStrict: true }));
}

/** @param isStrict values have to be values of labels */
function nodeTermErrors({ matchExpressions, matchFields }: NodeSelectorTerm, path: string, { isStrict }: { isStrict: boolean }): Errors {
  return those(
    (matchExpressions ?? []).flatMap((requirement, index) =>
      requirementErrors(requirement, `${path}.matchExpressions[${index}]`, isStrict),
    ),
    (matchFields ?? []).flatMap((requirement, index) => fieldErrors(requirement, `${path}.matchFields[${index}]`)),
  );
}

function requirementErrors({ key, operator, values = [] }: NodeSelectorRequirement, path: string, isStrict: boolean): Errors {
  const errors: FieldError[] = [...operatorErrors(operator, values.length, path), ...labelName(key, `${path}.key`)];
  if (!isStrict) return errors;
  return [...errors, ...values.flatMap((value, index) => invalidEach(`${path}.values[${index}]`, value, labelValueProblems(value)))];
}

function operatorErrors(operator: string, count: number, path: string): Errors {
  const field = `${path}.values`;
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0 ? [] : [required(field, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return count === 0 ? [] : [forbidden(field, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      return count === 1 ? [] : [required(field, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

function fieldErrors({ key, operator, values = [] }: NodeSelectorRequirement, path: string): Errors {
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn') errors.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  else if (values.length !== 1) {
    errors.push(required(`${path}.values`, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"));
  }
  if (key !== 'metadata.name') return [...errors, invalid(`${path}.key`, key, 'not a valid field selector key')];
  return [...errors, ...values.flatMap((value, index) => dnsSubdomain(value, `${path}.values[${index}]`))];
}

function podTermsErrors(affinity: PodAffinity | undefined, path: string): Errors {
  const needed = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...needed.flatMap((term, index) => podTermErrors(term, `${path}.${REQUIRED}[${index}]`)),
    ...preferred.flatMap(({ weight, podAffinityTerm }, index) => {
      const field = `${path}.${PREFERRED}[${index}]`;
      return [...weightErrors(weight, field), ...podTermErrors(podAffinityTerm, `${field}.podAffinityTerm`)];
    }),
  ];
}

function podTermErrors(term: PodAffinityTerm, path: string): Errors {
  const { labelSelector, namespaceSelector, namespaces = [], topologyKey } = term;
  return those(
    labelSelectorErrors(labelSelector, `${path}.labelSelector`),
    labelSelectorErrors(namespaceSelector, `${path}.namespaceSelector`),
    namespaces.flatMap((namespace) => dnsLabel(namespace, `${path}.namespace`)),
    labelKeyErrors(term, path),
    topologyKey === '' && required(`${path}.topologyKey`, 'can not be empty'),
    labelName(topologyKey, `${path}.topologyKey`),
  );
}

type LabelKeys = Pick<PodAffinityTerm, 'labelSelector' | 'matchLabelKeys' | 'mismatchLabelKeys'>;

/** Keys of labels whose values are those of the pod itself; also of topology spread constraints. */
export function labelKeyErrors({ labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] }: LabelKeys, path: string): Errors {
  const keyErrors = (keys: readonly string[], field: string): Errors => {
    if (keys.length === 0) return [];
    if (labelSelector === undefined) return [forbidden(field, 'must not be specified when labelSelector is not set')];
    return keys.flatMap((key, index) => labelName(key, `${field}[${index}]`));
  };
  const both = 'exists in both matchLabelKeys and mismatchLabelKeys';
  return [
    ...keyErrors(matchLabelKeys, `${path}.matchLabelKeys`),
    ...keyErrors(mismatchLabelKeys, `${path}.mismatchLabelKeys`),
    ...mergedKeyErrors(labelSelector, matchLabelKeys, path),
    ...matchLabelKeys.flatMap((key, index) =>
      mismatchLabelKeys.includes(key) ? [invalid(`${path}.matchLabelKeys[${index}]`, key, both)] : [],
    ),
  ];
}

/** By now the selector has the requirement that was made of the key: a second one was the author's. */
function mergedKeyErrors(selector: LabelKeys['labelSelector'], keys: readonly string[], path: string): Errors {
  const known = new Set(Object.keys(selector?.matchLabels ?? {}));
  return (selector?.matchExpressions ?? []).flatMap(({ key }) => {
    const index = keys.lastIndexOf(key);
    const isTwice = index >= 0 && known.has(key);
    known.add(key);
    return isTwice ? [invalid(`${path}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector')] : [];
  });
}
