import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  labelValueProblems,
  notSupported,
  required,
} from '@keelson/kubernetes/apimachinery';
import { type Errors, labelName, labelSelectorErrors, oneOf, positive, those } from '../../checks/index.js';
import type { PodSpec, Toleration, TopologySpreadConstraint } from '../../drafts.js';
import { semanticEqual } from '../../semantic-equal.js';
import { labelKeyErrors } from './affinity-validation.js';

/** Tolerations, topology and gates. Source: kubernetes `pkg/apis/core/validation`. */
export function tolerationErrors(tolerations: readonly Toleration[], path: string): Errors {
  return tolerations.flatMap((toleration, index) => {
    const field = `${path}[${index}]`;
    const { key = '', operator = '', effect = '', tolerationSeconds } = toleration;
    const errors: FieldError[] = key === '' ? [] : [...labelName(key, `${field}.key`)];
    if (key === '' && operator !== 'Exists') {
      const text = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      errors.push(invalid(`${field}.operator`, operator, text));
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      errors.push(invalid(`${field}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    }
    errors.push(...toleratedValueErrors(toleration, `${field}.operator`));
    return effect === '' ? errors : [...errors, ...oneOf(TAINT_EFFECTS)(effect, `${field}.effect`)];
  });
}

export const TAINT_EFFECTS: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function toleratedValueErrors({ operator, value = '' }: Toleration, path: string): Errors {
  switch (operator as string | undefined) {
    case undefined:
    case '':
    case 'Equal': {
      const problems = labelValueProblems(value);
      return problems.length === 0 ? [] : [invalid(path, value, problems.join(';'))];
    }
    case 'Exists':
      return value === '' ? [] : [invalid(path, value, "value must be empty when `operator` is 'Exists'")];
    default:
      return [notSupported(path, operator, ['Equal', 'Exists'])];
  }
}

/** A pod may be given more tolerations, and other times to those it has. */
export function addedTolerationErrors(tolerations: readonly Toleration[], old: readonly Toleration[], path: string): Errors {
  const isKept = (kept: Toleration): boolean =>
    tolerations.some((candidate) => semanticEqual({ ...candidate, tolerationSeconds: null }, { ...kept, tolerationSeconds: null }));
  if (!old.every(isKept)) return [forbidden(path, 'existing toleration can not be modified except its tolerationSeconds')];
  return tolerationErrors(tolerations, path);
}

type Gates = NonNullable<PodSpec['schedulingGates']>;

export function schedulingGateErrors(gates: Gates, path: string): Errors {
  const seen = new Set<string>();
  return gates.flatMap(({ name }, index) => {
    const field = `${path}[${index}]`;
    const errors = seen.has(name) ? [...labelName(name, field), duplicate(field, name)] : labelName(name, field);
    seen.add(name);
    return errors;
  });
}

export function addedGateErrors(gates: Gates, old: Gates, path: string): Errors {
  return gates.flatMap(({ name }, index) =>
    old.some((known) => known.name === name)
      ? []
      : [forbidden(`${path}[${index}].name`, `only deletion is allowed, but found new scheduling gate '${name}'`)],
  );
}

const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];

export function topologySpreadErrors(constraints: readonly TopologySpreadConstraint[], path: string): Errors {
  return constraints.flatMap((constraint, index) => {
    const field = `${path}[${index}]`;
    const { maxSkew, topologyKey, whenUnsatisfiable: action, labelSelector, matchLabelKeys } = constraint;
    const isRepeated = constraints
      .slice(index + 1)
      .some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === action);
    return those(
      positive(maxSkew, `${field}.maxSkew`),
      topologyKey === '' && required(`${field}.topologyKey`, 'can not be empty'),
      !ACTIONS.includes(action) && notSupported(`${field}.whenUnsatisfiable`, action, ACTIONS),
      isRepeated && duplicate(`${field}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${action}}`),
      minDomainErrors(constraint, `${field}.minDomains`),
      oneOf(['Honor', 'Ignore'])(constraint.nodeAffinityPolicy, `${field}.nodeAffinityPolicy`),
      oneOf(['Honor', 'Ignore'])(constraint.nodeTaintsPolicy, `${field}.nodeTaintsPolicy`),
      labelKeyErrors({ labelSelector, matchLabelKeys }, field),
      labelSelectorErrors(labelSelector, `${field}.labelSelector`),
    );
  });
}

function minDomainErrors({ minDomains, whenUnsatisfiable: action }: TopologySpreadConstraint, path: string): Errors {
  if (minDomains === undefined) return [];
  const text = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
  return [...positive(minDomains, path), ...(action === 'DoNotSchedule' ? [] : [invalid(path, minDomains, text)])];
}
