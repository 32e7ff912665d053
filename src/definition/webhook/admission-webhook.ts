import { DNS_1123_LABEL, type KindInfo, LABEL_KEY, obeys, type StructuralSchema } from '../../kubernetes/index.js';
import { admissionExpressionProblems } from '../../schema/index.js';
import type { Nothing } from '../controller/index.js';
import { DefinitionError, type Problem } from '../errors.js';
import type { AdmissionWebhookModel, CustomResourceModel, WebhookOperation } from '../model.js';
import {
  anything,
  choice,
  count,
  isKind,
  labelSelector,
  listOf,
  mapOf,
  mustHaveShape,
  nameOr,
  objectSelection,
  record,
  required,
  type Shape,
  shown,
  text,
} from '../option-shape.js';
import type { AdmissionOptions, MutatingOptions } from './handler.js';
import { watchesProblems, watchModels } from './watches.js';

/** A webhook as `defineOperator` takes it. */
export interface Webhook<in TExternals = Nothing> extends AdmissionWebhookModel {
  readonly '~webhook'?: never;
  readonly '~externals'?: ((externals: TExternals) => void) | undefined;
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
  readonly handle: unknown;
}

/** Shared by webhooks and policies. */
export const MATCH_CONDITIONS: Shape = listOf(
  record(
    { name: required(text, 'name the condition'), expression: required(text, 'write CEL that yields true or false') },
    'not part of a match condition',
  ),
);

export const ADMISSION_SHAPES: Readonly<Record<string, Shape>> = {
  name: text,
  select: objectSelection,
  namespaceSelector: labelSelector,
  matchConditions: MATCH_CONDITIONS,
  failurePolicy: choice('Fail', 'Ignore'),
  matchPolicy: choice('Equivalent', 'Exact'),
  sideEffects: choice('None', 'NoneOnDryRun'),
  timeoutSeconds: count,
  watches: mapOf(anything),
  // Until the runtime gives it: what is declared must not do nothing.
  uses: mapOf(anything),
};

/** What is defined, for the head of a message. */
export function admissionSubject(what: string, kind: unknown): string {
  return `${what} for ${nameOr(kind, 'kind', 'an unknown kind')}`;
}

/** @throws DefinitionError when it is not a kind, or the options have not their form. */
export function mustBeAdmission(subject: string, kind: unknown, { options, shape }: { options: unknown; shape: Shape }): void {
  if (!isKind(kind)) {
    throw new DefinitionError(subject, [{ path: 'kind', message: 'is not a kind; give a custom resource, or a kind of keelson/kinds' }]);
  }
  mustHaveShape(subject, options, shape);
}

/** Completes a webhook with defaults, and with the name and path that follow from what it does to which kind. */
export function webhookOf(draft: WebhookDraft): Webhook {
  const { type, kind, operations, options, handle } = draft;
  const problems = draftProblems(draft);
  if (problems.length > 0) throw new DefinitionError(admissionSubject(`${draft.does} webhook`, kind), problems);
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
    ...(options.watches === undefined ? {} : { watches: watchModels(options.watches) }),
    ...(options.uses === undefined ? {} : { uses: Object.freeze({ ...options.uses }) }),
    handle,
  });
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
  const { kind, options, handle, operations } = draft;
  const problems: Problem[] = [];
  if (draft.does === 'defaulting' && !('customResource' in kind)) {
    problems.push({ path: 'kind', message: `${kind.kind} is not defined by you; use mutating(${kind.kind}, { ... })` });
  }
  if (typeof handle !== 'function' && !isHandlers(handle)) {
    problems.push({ path: draft.does === 'mutating' ? 'apply' : 'handle', message: 'is not a function; write one that takes the object' });
  }
  if (operations.length === 0)
    problems.push({ path: 'operations', message: 'is empty; the webhook would never be called: name CREATE or UPDATE' });
  problems.push(
    ...subresourceProblems(draft),
    ...broadProblems(draft),
    ...unaskedProblems(draft),
    ...optionProblems(options),
    ...watchesProblems(options.watches ?? {}),
  );
  if (problems.length > 0) return problems;
  // The status subresource carries the whole object; any other carries another kind.
  const whole = options.subresource === undefined || options.subresource === 'status';
  return admissionExpressionProblems(options, { objectSchema: whole ? schemaOf(kind) : undefined });
}

function subresourceProblems({ kind, options: { subresource } }: WebhookDraft): Problem[] {
  if (subresource === undefined || subresource === '*' || kind.plural === '*' || kind.subresources.includes(subresource)) return [];
  const has = kind.subresources.length === 0 ? 'has none' : `has ${kind.subresources.join(', ')}`;
  return [{ path: 'subresource', message: `${shown(subresource)} is not a subresource of ${kind.kind}, which ${has}` }];
}

/** The schema that the API server prunes objects of a kind by, where that is certain: a cluster may be newer than our built-in kinds, and have more fields. */
export function schemaOf(kind: KindInfo): StructuralSchema | undefined {
  if (!('customResource' in kind)) return undefined;
  return (kind.customResource as CustomResourceModel).versionList.find(({ name }) => name === kind.version)?.schema;
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

/** Source: apiserver 1.34, `pkg/admission/plugin/webhook/predicates/rules/rules.go`, `IsExemptAdmissionConfigurationResource`. */
const UNASKED: readonly string[] = [
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
];

/** A webhook that could lock its own configuration could not be mended any more: the API server asks none. */
function unaskedProblems({ kind }: WebhookDraft): Problem[] {
  if (kind.group !== 'admissionregistration.k8s.io' || !UNASKED.includes(kind.plural)) return [];
  return [
    {
      path: 'kind',
      message: `the API server asks no webhook about a ${kind.kind}, so that a broken webhook can be removed; this one would never be called`,
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
  return [...problems, ...matchConditionProblems(matchConditions)];
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
