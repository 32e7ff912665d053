import { DNS_1123_LABEL, type KindInfo, LABEL_KEY, obeys } from '../../kubernetes/index.js';
import { DefinitionError, type Problem } from '../errors.js';
import type { AdmissionWebhookModel, WebhookOperation } from '../model.js';
import type { AdmissionOptions, MutatingOptions } from './handler.js';

/** A webhook as `defineOperator` takes it. */
export interface Webhook extends AdmissionWebhookModel {
  readonly '~webhook'?: never;
}

/** Longest time that an API server waits for a webhook, in seconds. */
const MAX_TIMEOUT_SECONDS = 30;
const DEFAULT_TIMEOUT_SECONDS = 5;
/** `admissionregistration.k8s.io` takes no more. */
const MAX_MATCH_CONDITIONS = 64;

export interface WebhookDraft {
  readonly type: 'mutating' | 'validating';
  /** First part of the name and path: what it does. */
  readonly does: 'defaulting' | 'mutating' | 'validating';
  readonly kind: KindInfo;
  readonly operations: readonly WebhookOperation[];
  readonly options: AdmissionOptions & Pick<MutatingOptions, 'subresource' | 'reinvocationPolicy'>;
  readonly knownOptions: readonly string[];
  readonly handle: unknown;
}

export const ADMISSION_OPTIONS: readonly string[] = [
  'name',
  'select',
  'namespaceSelector',
  'matchConditions',
  'failurePolicy',
  'matchPolicy',
  'sideEffects',
  'timeoutSeconds',
];

/** Completes a webhook with defaults, and with the name and path that follow from what it does to which kind. */
export function webhookOf(draft: WebhookDraft): Webhook {
  const { type, kind, operations, options, handle } = draft;
  const subject = `${draft.does} webhook for ${kindText(kind)}`;
  const problems = draftProblems(draft);
  if (problems.length > 0) throw new DefinitionError(subject, problems);
  const objectSelector = objectSelectorOf(options);
  return Object.freeze({
    type,
    ...identityOf(draft),
    kind,
    operations: Object.freeze([...operations]),
    resources: Object.freeze([options.subresource === undefined ? kind.plural : `${kind.plural}/${options.subresource}`]),
    ...(options.namespaceSelector === undefined ? {} : { namespaceSelector: options.namespaceSelector }),
    ...(objectSelector === undefined ? {} : { objectSelector }),
    matchConditions: Object.freeze([...(options.matchConditions ?? [])]),
    failurePolicy: options.failurePolicy ?? 'Fail',
    matchPolicy: options.matchPolicy ?? 'Equivalent',
    reinvocationPolicy: options.reinvocationPolicy ?? (draft.does === 'mutating' ? 'IfNeeded' : 'Never'),
    sideEffects: options.sideEffects ?? 'None',
    timeoutSeconds: options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    handle,
  });
}

function kindText(kind: unknown): string {
  const name = (kind as Partial<KindInfo> | undefined)?.kind;
  return typeof name === 'string' ? name : 'an unknown kind';
}

/**
 * The name must have three parts and be a DNS name; the core group has no name of its own, so it is called `core` (hazard H60).
 *
 * The path carries the version too: handlers of two versions of one kind see different objects.
 */
function identityOf({ does, kind, options }: WebhookDraft): { readonly name: string; readonly path: string } {
  const group = kind.group === '' ? 'core' : kind.group;
  const resource = options.subresource === undefined ? kind.plural : `${options.subresource}.${kind.plural}`;
  const parts = [...(options.name === undefined ? [] : [options.name]), does, resource, group];
  const segments = [does, group, kind.version, kind.plural, options.subresource, options.name].filter((segment) => segment !== undefined);
  // A group such as `apps` gives the three parts that are asked for: verb, plural, group.
  return { name: parts.join('.'), path: `/${segments.join('/')}` };
}

function objectSelectorOf({ select }: AdmissionOptions): AdmissionWebhookModel['objectSelector'] {
  if (select?.labels === undefined && select?.labelSelector === undefined) return undefined;
  const { matchLabels, matchExpressions } = select.labelSelector ?? {};
  const labels = { ...matchLabels, ...select.labels };
  return Object.freeze({
    ...(Object.keys(labels).length === 0 ? {} : { matchLabels: labels }),
    ...(matchExpressions === undefined ? {} : { matchExpressions }),
  });
}

function draftProblems(draft: WebhookDraft): Problem[] {
  const { kind, options, handle, knownOptions, operations } = draft;
  const problems: Problem[] = Object.keys(options)
    .filter((name) => !knownOptions.includes(name))
    .map((name) => ({ path: name, message: `is no option of a webhook; known are ${knownOptions.join(', ')}` }));
  if (typeof (kind as Partial<KindInfo> | undefined)?.plural !== 'string') {
    return [...problems, { path: 'kind', message: 'is no kind; give a custom resource, or a kind of keelson/kinds' }];
  }
  if (draft.does === 'defaulting' && !('customResource' in kind)) {
    problems.push({ path: 'kind', message: `${kind.kind} is not defined by you; use mutating(${kind.kind}, { ... })` });
  }
  if (typeof handle !== 'function' && !isHandlers(handle))
    problems.push({ path: 'handle', message: 'is no function; write one that takes the object' });
  if (operations.length === 0)
    problems.push({ path: 'operations', message: 'is empty; the webhook would never be called: name CREATE or UPDATE' });
  return [...problems, ...broadProblems(draft), ...optionProblems(options)];
}

function isHandlers(handle: unknown): boolean {
  return typeof handle === 'object' && handle !== null && Object.values(handle).every((handler) => typeof handler === 'function');
}

/** Hazard H59: with `Fail`, an operator that is down would stop everything that it is asked about, itself included. */
function broadProblems({ kind, options, operations }: WebhookDraft): Problem[] {
  if (options.failurePolicy === 'Ignore') return [];
  const broad = [kind.group, kind.version, kind.plural, options.subresource, ...operations].some((part) => part?.includes('*') === true);
  if (!broad) return [];
  return [
    {
      path: 'failurePolicy',
      message: "is 'Fail' for '*': the cluster would stop with the operator; name the kinds, or write failurePolicy: 'Ignore'",
    },
  ];
}

function optionProblems(options: AdmissionOptions): Problem[] {
  const { name, timeoutSeconds, matchConditions = [] } = options;
  const problems: Problem[] = [];
  if (name !== undefined && !obeys(DNS_1123_LABEL, name))
    problems.push({ path: 'name', message: `'${name}' must be ${DNS_1123_LABEL.says}` });
  if (timeoutSeconds !== undefined && !(Number.isInteger(timeoutSeconds) && timeoutSeconds >= 1 && timeoutSeconds <= MAX_TIMEOUT_SECONDS)) {
    problems.push({ path: 'timeoutSeconds', message: `is ${timeoutSeconds}; write whole seconds from 1 to ${MAX_TIMEOUT_SECONDS}` });
  }
  return [...problems, ...matchConditionProblems(matchConditions), ...choiceProblems(options)];
}

const CHOICES = {
  failurePolicy: ['Fail', 'Ignore'],
  matchPolicy: ['Equivalent', 'Exact'],
  sideEffects: ['None', 'NoneOnDryRun'],
  reinvocationPolicy: ['Never', 'IfNeeded'],
} as const;

function choiceProblems(options: Readonly<Record<string, unknown>> | AdmissionOptions): Problem[] {
  return Object.entries(CHOICES).flatMap(([path, choices]) => {
    const given = (options as Readonly<Record<string, unknown>>)[path];
    if (given === undefined || (choices as readonly unknown[]).includes(given)) return [];
    return [{ path, message: `'${String(given)}' is unknown; write ${choices.map((choice) => `'${choice}'`).join(' or ')}` }];
  });
}

/** Shared by webhooks and policies. */
export function matchConditionProblems(conditions: readonly { readonly name: string; readonly expression: string }[]): Problem[] {
  const problems = conditions.flatMap(({ name, expression }, index): Problem[] => {
    const path = `matchConditions[${index}]`;
    if (!obeys(LABEL_KEY, name)) return [{ path: `${path}.name`, message: `'${name}' must be ${LABEL_KEY.says}` }];
    if (conditions.findIndex((other) => other.name === name) !== index)
      return [{ path: `${path}.name`, message: `'${name}' is used twice; give each its own` }];
    return expression.trim() === '' ? [{ path: `${path}.expression`, message: 'is empty; write CEL that yields true or false' }] : [];
  });
  if (conditions.length <= MAX_MATCH_CONDITIONS) return problems;
  return [
    ...problems,
    { path: 'matchConditions', message: `has ${conditions.length} entries; the API server takes at most ${MAX_MATCH_CONDITIONS}` },
  ];
}
