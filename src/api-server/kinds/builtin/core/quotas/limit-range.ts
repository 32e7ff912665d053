import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  qualifiedNameProblems,
  quantityAmount,
  required,
} from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../../behaviour.js';
import {
  compareAmounts,
  containerResourceNameErrors,
  type Errors,
  invalidEach,
  isOvercommitAllowed,
  quantityOf,
  type ResourceList,
  resourceNameErrors,
  roundResourceList,
  those,
} from '../../checks/index.js';
import type { LimitRange, LimitRangeItem } from '../../drafts.js';

/** Source: kubernetes `pkg/registry/core/limitrange`, `pkg/apis/core/{v1,validation}`. */
export const limitRanges: Behaviour<LimitRange> = {
  setDefaults({ spec }) {
    for (const limit of spec?.limits ?? []) setLimitDefaults(limit);
  },
  prepareForCreate({ metadata }) {
    const named: { name?: string; readonly uid?: string | undefined } = metadata;
    // Any name that is unique.
    if (!named.name && named.uid !== undefined) named.name = named.uid;
  },
  validate: limitRangeErrors,
  prepareForUpdate() {
    // It has no status to keep.
  },
  validateUpdate: limitRangeErrors,
  revalidatesMetadata: true,
  allowsCreateOnUpdate: true,
};

function setLimitDefaults(limit: LimitRangeItem): void {
  if (limit.type === 'Container') {
    limit.default = { ...limit.max, ...limit.default };
    limit.defaultRequest = { ...limit.min, ...limit.default, ...limit.defaultRequest };
  }
  const { default: defaults, defaultRequest, max, min, maxLimitRequestRatio } = limit;
  for (const list of [defaults, defaultRequest, max, min, maxLimitRequestRatio]) roundResourceList(list);
}

function limitRangeErrors({ spec }: LimitRange): Errors {
  const seen = new Set<string>();
  return (spec?.limits ?? []).flatMap((limit, index) => {
    const path = `spec.limits[${index}]`;
    const isDouble = seen.has(limit.type);
    seen.add(limit.type);
    return those(typeErrors(limit.type, `${path}.type`), isDouble && duplicate(`${path}.type`, limit.type), limitErrors(limit, path));
  });
}

function typeErrors(type: string, path: string): Errors {
  const problems = qualifiedNameProblems(type);
  if (problems.length > 0) return invalidEach(path, type, problems);
  const isStandard = type.includes('/') || ['Pod', 'Container', 'PersistentVolumeClaim'].includes(type);
  return isStandard ? [] : [invalid(path, type, 'must be a standard limit type or fully qualified')];
}

function limitErrors(limit: LimitRangeItem, path: string): Errors {
  const { type, max = {}, min = {}, maxLimitRequestRatio: ratios = {} } = limit;
  const { default: defaults = {}, defaultRequest: requests = {} } = type === 'Pod' ? {} : limit;
  const rule = type === 'Pod' || type === 'Container' ? containerResourceNameErrors : resourceNameErrors;
  const names = (list: ResourceList, field: string): Errors => Object.keys(list).flatMap((name) => rule(name, `${path}.${field}[${name}]`));
  const hasNoStorage = type === 'PersistentVolumeClaim' && min['storage'] === undefined && max['storage'] === undefined;
  const text = 'either minimum or maximum storage value is required, but neither was provided';
  const all = new Set([max, min, defaults, requests, ratios].flatMap((list) => Object.keys(list)));
  return those(
    names(max, 'max'),
    names(min, 'min'),
    type === 'Pod' ? podErrors(limit, path) : [...names(defaults, 'default'), ...names(requests, 'defaultRequest')],
    hasNoStorage && required(`${path}.limits`, text),
    names(ratios, 'maxLimitRequestRatio'),
    [...all].flatMap((name) =>
      amountErrors({ name, min: min[name], max: max[name], limit: defaults[name], request: requests[name], ratio: ratios[name] }, path),
    ),
  );
}

function podErrors({ default: defaults = {}, defaultRequest = {} }: LimitRangeItem, path: string): Errors {
  const text = "may not be specified when `type` is 'Pod'";
  return those(
    Object.keys(defaults).length > 0 && forbidden(`${path}.default`, text),
    Object.keys(defaultRequest).length > 0 && forbidden(`${path}.defaultRequest`, text),
  );
}

type Amount = number | string | undefined;

interface Amounts {
  readonly name: string;
  readonly min: Amount;
  readonly max: Amount;
  readonly limit: Amount;
  readonly request: Amount;
  readonly ratio: Amount;
}

function amountErrors({ name, min, max, limit, request, ratio }: Amounts, path: string): Errors {
  const exceeds = (left: Amount, right: Amount): boolean => left !== undefined && right !== undefined && compareAmounts(left, right) > 0;
  const errors: FieldError[] = [];
  const refuse = (field: string, value: Amount, text: string): void => {
    errors.push(invalid(`${path}.${field}[${name}]`, String(value), text));
  };
  if (exceeds(min, max)) refuse('min', min, `min value ${min} is greater than max value ${max}`);
  if (exceeds(min, request)) refuse('defaultRequest', request, `min value ${min} is greater than default request value ${request}`);
  if (exceeds(request, max)) refuse('defaultRequest', request, `default request value ${request} is greater than max value ${max}`);
  if (exceeds(request, limit))
    refuse('defaultRequest', request, `default request value ${request} is greater than default limit value ${limit}`);
  if (exceeds(min, limit)) refuse('default', min, `min value ${min} is greater than default value ${limit}`);
  if (exceeds(limit, max)) refuse('default', max, `default value ${limit} is greater than max value ${max}`);
  if (exceeds('1', ratio)) refuse('maxLimitRequestRatio', ratio, `ratio ${ratio} is less than 1`);
  const most = ratio === undefined ? undefined : excessiveRatio(ratio, { min, max });
  if (most !== undefined) refuse('maxLimitRequestRatio', ratio, `ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`);
  const differs = limit !== undefined && request !== undefined && compareAmounts(limit, request) !== 0;
  if (differs && !isOvercommitAllowed(name)) {
    refuse('defaultRequest', request, `default value ${limit} must equal to defaultRequest value ${request} in ${name}`);
  }
  return errors;
}

/** Above it, thousandths would not fit in the server's numbers. */
const MOST_IN_THOUSANDTHS = 2n ** 63n / 1000n;

/** @returns the largest ratio that is possible, where the given one is larger */
function excessiveRatio(ratio: number | string, { min, max }: { readonly min: Amount; readonly max: Amount }): number | undefined {
  if (min === undefined || max === undefined) return undefined;
  const whole = [ratio, min, max].map((amount) => quantityAmount(quantityOf(amount)));
  const isExact = whole.every((amount) => amount < MOST_IN_THOUSANDTHS);
  const [asked, least, most] = isExact
    ? [ratio, min, max].map((amount) => Number(quantityAmount(quantityOf(amount), -3)) / 1000)
    : whole.map(Number);
  const possible = (most ?? 0) / (least ?? 0);
  return (asked ?? 0) > possible ? possible : undefined;
}
