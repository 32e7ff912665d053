import {
  dns1123SubdomainProblems,
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
} from '@keelson/kubernetes/apimachinery';
import {
  atMostItems,
  type Errors,
  internalValue,
  invalidEach,
  labelName,
  labelSelectorErrors,
  nonNegative,
  oneOf,
  quotedList,
  selects,
  those,
} from '../checks/index.js';
import { podTemplateErrors, unmatched } from '../core/index.js';
import type { JobSpec, PodFailurePolicyRule, SuccessPolicyRule } from '../drafts.js';
import { countIndexes } from './job-indexes.js';

/** Source: kubernetes `pkg/apis/batch/validation` (`ValidateJobSpec`). */
export function jobSpecErrors(spec: JobSpec, path: string): Errors {
  const { selector, template } = spec;
  return those(
    jobTemplateSpecErrors(spec, path),
    selector === undefined ? [required(`${path}.selector`)] : labelSelectorErrors(selector, `${path}.selector`),
    selects(selector, template.metadata?.labels) === false && unmatched(template, `${path}.template`),
  );
}

/** For the Jobs that a CronJob makes: without the selector, which they get then. */
export function jobTemplateSpecErrors(spec: JobSpec, path: string): Errors {
  const counts = [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ] as const;
  const isLimitMissing = spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined;
  return those(
    counts.flatMap((name) => nonNegative(spec[name], `${path}.${name}`)),
    isLimitMissing && required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'),
    managedByErrors(spec.managedBy, `${path}.managedBy`),
    completionModeErrors(spec, path),
    failurePolicyErrors(spec, `${path}.podFailurePolicy.rules`),
    successPolicyErrors(spec, `${path}.successPolicy`),
    replacementErrors(spec, `${path}.podReplacementPolicy`),
    podTemplateErrors(spec.template, `${path}.template`),
    restartPolicyErrors(spec, `${path}.template.spec.restartPolicy`),
  );
}

const PATH_CHARACTERS = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

function managedByErrors(managedBy: string | undefined, path: string): Errors {
  if (managedBy === undefined) return [];
  const slash = managedBy.indexOf('/');
  const [host, rest] = [managedBy.slice(0, slash), managedBy.slice(slash + 1)];
  const tooMuch = managedBy.length > 63 ? [tooLong(path, 63)] : [];
  if (managedBy === '') return [required(path)];
  if (slash <= 0 || rest === '') return [invalid(path, managedBy, 'must be a domain-prefixed path (such as "acme.io/foo")'), ...tooMuch];
  const isPath = new RegExp(`^${PATH_CHARACTERS}$`).test(rest);
  return those(
    invalidEach(path, host, dns1123SubdomainProblems(host)),
    !isPath && invalid(path, rest, `Invalid path (regex used for validation is '${PATH_CHARACTERS}')`),
    tooMuch,
  );
}

const MANY_COMPLETIONS = 100_000;
const HIGH_LIMIT = 10_000;

function completionModeErrors(spec: JobSpec, path: string): Errors {
  const { completionMode: mode, backoffLimitPerIndex, maxFailedIndexes } = spec;
  const errors: FieldError[] = [...oneOf(['NonIndexed', 'Indexed'])(mode, `${path}.completionMode`)];
  if (mode === 'Indexed') return [...errors, ...indexedErrors(spec, path)];
  if (mode !== undefined && mode !== 'NonIndexed') return errors;
  const text = 'requires indexed completion mode';
  if (backoffLimitPerIndex !== undefined) errors.push(invalid(`${path}.backoffLimitPerIndex`, backoffLimitPerIndex, text));
  if (maxFailedIndexes !== undefined) errors.push(invalid(`${path}.maxFailedIndexes`, maxFailedIndexes, text));
  return errors;
}

function indexedErrors({ completions, parallelism = 0, maxFailedIndexes, backoffLimitPerIndex }: JobSpec, path: string): Errors {
  const errors: FieldError[] = completions === undefined ? [required(`${path}.completions`, 'when completion mode is Indexed')] : [];
  const [parallelismPath, failedPath] = [`${path}.parallelism`, `${path}.maxFailedIndexes`];
  const failed = maxFailedIndexes ?? 0;
  if (parallelism > MANY_COMPLETIONS) {
    errors.push(invalid(parallelismPath, parallelism, `must be less than or equal to ${MANY_COMPLETIONS} when completion mode is Indexed`));
  }
  if (completions !== undefined && failed > completions)
    errors.push(invalid(failedPath, failed, 'must be less than or equal to completions'));
  if (failed > MANY_COMPLETIONS) errors.push(invalid(failedPath, failed, `must be less than or equal to ${MANY_COMPLETIONS}`));
  if ((completions ?? 0) <= MANY_COMPLETIONS || backoffLimitPerIndex === undefined) return errors;
  const text = `must be less than or equal to ${HIGH_LIMIT} when completions are above ${MANY_COMPLETIONS} and used with backoff limit per index`;
  if (maxFailedIndexes === undefined) errors.push(required(failedPath, `must be specified when completions is above ${MANY_COMPLETIONS}`));
  if (parallelism > HIGH_LIMIT) errors.push(invalid(parallelismPath, parallelism, text));
  if (failed > HIGH_LIMIT) errors.push(invalid(failedPath, failed, text));
  return errors;
}

const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;
const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const STATUSES = ['False', 'True', 'Unknown'];
const OPERATORS = ['In', 'NotIn'];

function failurePolicyErrors(spec: JobSpec, path: string): Errors {
  if (spec.podFailurePolicy === undefined) return [];
  const rules = spec.podFailurePolicy.rules ?? [];
  const { containers, initContainers } = spec.template.spec ?? { containers: [] };
  const names = [...(containers ?? []), ...(initContainers ?? [])].map(({ name }) => name);
  return those(
    atMostItems(MAX_RULES)(rules, path),
    rules.flatMap((rule, index) =>
      failureRuleErrors(rule, `${path}[${index}]`, { names, hasLimit: spec.backoffLimitPerIndex !== undefined }),
    ),
  );
}

function failureRuleErrors(
  rule: PodFailurePolicyRule,
  path: string,
  { names, hasLimit }: { names: readonly string[]; hasLimit: boolean },
): Errors {
  const { action, onExitCodes } = rule;
  const conditions = rule.onPodConditions ?? [];
  const errors: FieldError[] = [];
  if ((action as string) === '') errors.push(required(`${path}.action`, `valid values: ${quotedList(ACTIONS)}`));
  else if (action === 'FailIndex' && !hasLimit)
    errors.push(invalid(`${path}.action`, action, 'requires the backoffLimitPerIndex to be set'));
  else errors.push(...oneOf(ACTIONS)(action, `${path}.action`));
  if (onExitCodes !== undefined) errors.push(...exitCodeErrors(onExitCodes, `${path}.onExitCodes`, names));
  if (conditions.length > MAX_RULES) errors.push(tooMany(`${path}.onPodConditions`, conditions.length, MAX_RULES));
  for (const [index, { type, status }] of conditions.entries()) {
    const field = `${path}.onPodConditions[${index}]`;
    errors.push(...labelName(type, `${field}.type`));
    if (status === '') errors.push(required(`${field}.status`, `valid values: ${quotedList(STATUSES)}`));
    else errors.push(...oneOf(STATUSES)(status, `${field}.status`));
  }
  const has = conditions.length > 0;
  if (onExitCodes !== undefined && has) errors.push(withoutValue(path, 'specifying both OnExitCodes and OnPodConditions is not supported'));
  if (onExitCodes === undefined && !has) errors.push(withoutValue(path, 'specifying one of OnExitCodes and OnPodConditions is required'));
  return errors;
}

/** An invalid value that is not shown. */
export function withoutValue(field: string, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${detail}` };
}

type ExitCodes = NonNullable<PodFailurePolicyRule['onExitCodes']>;

function exitCodeErrors({ operator, containerName, values: written }: ExitCodes, path: string, names: readonly string[]): Errors {
  const values = written ?? [];
  const field = `${path}.values`;
  const errors: FieldError[] = [];
  if ((operator as string) === '') errors.push(required(`${path}.operator`, `valid values: ${quotedList(OPERATORS)}`));
  else errors.push(...oneOf(OPERATORS)(operator, `${path}.operator`));
  if (containerName !== undefined && !names.includes(containerName)) {
    errors.push(invalid(`${path}.containerName`, containerName, 'must be one of the container or initContainer names in the pod template'));
  }
  if (values.length === 0) errors.push(invalid(field, written ?? null, 'at least one value is required'));
  else if (values.length > MAX_EXIT_CODES) errors.push(tooMany(field, values.length, MAX_EXIT_CODES));
  for (const [index, value] of values.entries()) {
    if (operator === 'In' && value === 0) errors.push(invalid(`${field}[${index}]`, value, 'must not be 0 for the In operator'));
    if (values.indexOf(value) < index) errors.push(duplicate(`${field}[${index}]`, value));
  }
  const isOrdered = values.every((value, index) => index === 0 || (values[index - 1] ?? value) <= value);
  return isOrdered ? errors : [...errors, invalid(field, values, 'must be ordered')];
}

function successPolicyErrors({ successPolicy, completionMode, completions = 0 }: JobSpec, path: string): Errors {
  if (successPolicy === undefined) return [];
  if (completionMode !== 'Indexed') {
    return [invalid(path, internalValue('batch/v1.SuccessPolicy', successPolicy), 'requires indexed completion mode')];
  }
  const rules = successPolicy.rules ?? [];
  const missing = 'at least one rules must be specified when the successPolicy is specified';
  return those(
    rules.length === 0 && required(`${path}.rules`, missing),
    atMostItems(MAX_RULES)(rules, `${path}.rules`),
    rules.flatMap((rule, index) => successRuleErrors(rule, `${path}.rules[${index}]`, completions)),
  );
}

function successRuleErrors(
  { succeededCount: count, succeededIndexes: indexes }: SuccessPolicyRule,
  path: string,
  completions: number,
): Errors {
  const errors: FieldError[] = [];
  if (count === undefined && indexes === undefined) {
    errors.push(required(path, 'at least one of succeededCount or succeededIndexes must be specified'));
  }
  const total = countIndexes(indexes ?? '', completions);
  if (typeof total === 'string') errors.push(invalid(`${path}.succeededIndexes`, indexes, `error parsing succeededIndexes: ${total}`));
  if (count === undefined) return errors;
  const field = `${path}.succeededCount`;
  const most = typeof total === 'string' ? 0 : total;
  errors.push(...nonNegative(count, field));
  if (count > completions)
    errors.push(invalid(field, count, `must be less than or equal to ${completions} (the number of specified completions)`));
  if (indexes !== undefined && count > most) {
    errors.push(
      invalid(field, count, `must be less than or equal to ${most} (the number of indexes in the specified succeededIndexes field)`),
    );
  }
  return errors;
}

function replacementErrors({ podReplacementPolicy: policy, podFailurePolicy }: JobSpec, path: string): Errors {
  return oneOf(podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'])(policy, path);
}

function restartPolicyErrors({ template, podFailurePolicy }: JobSpec, path: string): Errors {
  const policy: string = template.spec?.restartPolicy ?? '';
  if (policy === '' || policy === 'Always') return [required(path, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never') return [notSupported(path, policy, ['OnFailure', 'Never'])];
  if (podFailurePolicy === undefined || policy === 'Never') return [];
  return [invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}
