import {
  DNS_1123_LABEL,
  DNS_1123_SUBDOMAIN,
  type KindInfo,
  LABEL_KEY,
  obeys,
  type StructuralSchema,
} from '@keelson/kubernetes/apimachinery';
import { admissionExpressionProblems } from '../../schema/index.js';
import { type Nothing, usesProblems } from '../controller/index.js';
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
  record,
  required,
  type Shape,
  shown,
  text,
  webhookSelection,
} from '../option-shape.js';
import { RUNTIME_CONTRACT } from '../runtime-settings.js';
import type { AdmissionOptions, MutatingOptions } from './handler.js';
import { carriesWholeObject, operationsOn } from './subresource.js';
import { RESERVED_NAMES, watchesProblems, watchModels } from './watches.js';

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
  readonly kinds: readonly [KindInfo, ...KindInfo[]];
  readonly operations: readonly WebhookOperation[];
  readonly options: AdmissionOptions & Pick<MutatingOptions, 'reinvocationPolicy'>;
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
  path: text,
  select: webhookSelection,
  namespaceSelector: labelSelector,
  matchConditions: MATCH_CONDITIONS,
  failurePolicy: choice('Fail', 'Ignore'),
  matchPolicy: choice('Equivalent', 'Exact'),
  sideEffects: choice('None', 'NoneOnDryRun'),
  timeoutSeconds: count,
  watches: mapOf(anything),
  uses: mapOf(anything),
};

/** The head of a message: what is defined for which kinds. */
export function admissionSubject(what: string, kinds: unknown): string {
  const names = (Array.isArray(kinds) ? kinds : [kinds]).map((kind) => nameOr(kind, 'kind', 'an unknown kind'));
  return `${what} for ${names.join(', ') || 'no kind'}`;
}

/** @returns the kinds, always as a list @throws DefinitionError when one is not a kind, or the options have not their form. */
export function mustBeAdmission(
  subject: string,
  given: unknown,
  { options, shape }: { options: unknown; shape: Shape },
): readonly [KindInfo, ...KindInfo[]] {
  const isList = Array.isArray(given);
  const kinds: readonly unknown[] = isList ? given : [given];
  const problems = kinds.flatMap((kind, index): Problem[] =>
    isKind(kind)
      ? []
      : [{ path: isList ? `kinds[${index}]` : 'kind', message: 'is not a kind; give a custom resource, or a kind of keelson/kinds' }],
  );
  if (kinds.length === 0) problems.push({ path: 'kinds', message: 'is empty; name the kinds that the webhook is called for' });
  if (problems.length > 0) throw new DefinitionError(subject, problems);
  mustHaveShape(subject, options, shape);
  return Object.freeze([...kinds]) as unknown as readonly [KindInfo, ...KindInfo[]];
}

/** Completes a webhook with defaults, and with the name and path that follow from what it does to which kind. */
export function webhookOf(draft: WebhookDraft): Webhook {
  const { type, kinds, operations, options, handle } = draft;
  const problems = draftProblems(draft);
  if (problems.length > 0) throw new DefinitionError(admissionSubject(`${draft.does} webhook`, kinds), problems);
  const objectSelector = objectSelectorOf(options);
  return Object.freeze({
    type,
    ...identityOf(draft),
    kinds,
    ...(options.subresource === undefined ? {} : { subresource: options.subresource }),
    operations: Object.freeze([...operations]),
    ...(options.namespaceSelector === undefined ? {} : { namespaceSelector: options.namespaceSelector }),
    ...(objectSelector === undefined ? {} : { objectSelector }),
    ...(options.select?.ofInstance === true ? { ofInstance: true as const } : {}),
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
 * The path carries the version too: handlers of two versions of one kind see different objects. With several kinds the author's name stands for them.
 */
function identityOf({ does, kinds, options }: WebhookDraft): { readonly name: string; readonly path: string } {
  const [kind] = kinds;
  const { name, subresource } = options;
  const group = kind.group === '' ? 'core' : kind.group;
  const own = name === undefined ? [] : [name];
  const part = subresource === undefined ? [] : [subresource];
  const resource = kinds.length > 1 ? [] : [kind.plural];
  const segments = kinds.length > 1 ? [does, ...part, ...own] : [does, group, kind.version, kind.plural, ...part, ...own];
  // A group such as `apps` gives the three parts that are asked for: verb, plural, group.
  return {
    name: [...own, does, [...part, ...resource].join('.'), group].filter(Boolean).join('.'),
    path: options.path ?? `/${segments.join('/')}`,
  };
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
  const { kinds, options, handle } = draft;
  const problems: Problem[] = [];
  const [kind] = kinds;
  if (draft.does === 'defaulting' && !('customResource' in kind)) {
    problems.push({ path: 'kind', message: `${kind.kind} is not defined by you; use mutating(${kind.kind}, { ... })` });
  }
  if (typeof handle !== 'function' && !isHandlers(handle)) {
    problems.push({ path: draft.does === 'mutating' ? 'apply' : 'handle', message: 'is not a function; write one that takes the object' });
  }
  problems.push(
    ...severalProblems(draft),
    ...operationProblems(draft),
    ...kinds.flatMap((covered) => subresourceProblems(covered, options)),
    ...broadProblems(draft),
    ...unaskedProblems(draft),
    ...optionProblems(options),
    ...watchesProblems(options.watches ?? {}),
    ...usesProblems(options.uses ?? {}, 'uses', RESERVED_NAMES),
    ...twiceProblems(options),
  );
  if (problems.length > 0) return problems;
  // Each kind of several has a schema of its own: an expression is checked against what all have.
  const objectSchema = kinds.length === 1 && carriesWholeObject(options.subresource) ? schemaOf(kind) : undefined;
  return admissionExpressionProblems(options, { objectSchema });
}

function twiceProblems({ watches = {}, uses = {} }: AdmissionOptions): Problem[] {
  return Object.keys(uses).flatMap((name) =>
    Object.hasOwn(watches, name)
      ? [{ path: `uses.${name}`, message: `'${name}' is declared twice, here and at watches.${name}; choose another name for one` }]
      : [],
  );
}

function severalProblems({ kinds, options }: WebhookDraft): Problem[] {
  const problems: Problem[] = [];
  if (kinds.length > 1 && options.name === undefined)
    problems.push({ path: 'name', message: "is missing: the webhook covers several kinds, so write what it is about: name: 'limits'" });
  const twice = kinds.find((kind, index) => kinds.some((other, at) => at < index && isSameResource(other, kind)));
  if (twice !== undefined) problems.push({ path: 'kinds', message: `names ${twice.kind} twice; leave one out` });
  return problems;
}

function isSameResource(one: KindInfo, other: KindInfo): boolean {
  return one.group === other.group && one.version === other.version && one.plural === other.plural;
}

function operationProblems({ operations, options: { subresource }, does }: WebhookDraft): Problem[] {
  const path = does === 'mutating' ? 'operations' : 'handle';
  const possible = operationsOn(subresource);
  if (possible.length === 0)
    return [{ path: 'subresource', message: `${shown(subresource)} is only read, and the API server asks no webhook about reads` }];
  if (operations.length === 0)
    return [{ path: 'operations', message: 'is empty; the webhook would never be called: name CREATE or UPDATE' }];
  const never = operations.find((operation) => !possible.includes(operation));
  if (never === undefined) return [];
  if (subresource === undefined)
    return [{ path, message: `${never} happens on subresources alone; name one: subresource: 'exec', 'attach', 'portforward' or 'proxy'` }];
  return [{ path, message: `${never} never happens on the subresource ${shown(subresource)}, which has ${possible.join(', ')}` }];
}

function subresourceProblems(kind: KindInfo, { subresource }: AdmissionOptions): Problem[] {
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
function broadProblems({ kinds, options, operations }: WebhookDraft): Problem[] {
  if (options.failurePolicy === 'Ignore') return [];
  const named = kinds.flatMap(({ group, version, plural }) => [group, version, plural]);
  const broad = [...named, options.subresource, ...operations].some((part) => part?.includes('*') === true);
  if (!broad) return [];
  return [
    {
      path: 'failurePolicy',
      message: "is 'Fail' for '*': the cluster would stop with the operator; name the kinds, or write failurePolicy: 'Ignore'",
    },
  ];
}

/** Source: apiserver, `pkg/admission/plugin/webhook/predicates/rules/rules.go`, `IsExemptAdmissionConfigurationResource`. */
const UNASKED: readonly string[] = [
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
];

/** A webhook that could lock its own configuration could not be mended any more: the API server asks none. */
function unaskedProblems({ kinds }: WebhookDraft): Problem[] {
  const kind = kinds.find(({ group, plural }) => group === 'admissionregistration.k8s.io' && UNASKED.includes(plural));
  if (kind === undefined) return [];
  return [
    {
      path: 'kind',
      message: `the API server asks no webhook about a ${kind.kind}, so that a broken webhook can be removed; this one would never be called`,
    },
  ];
}

function optionProblems(options: AdmissionOptions): Problem[] {
  const { name, path, timeoutSeconds, matchConditions = [] } = options;
  const problems: Problem[] = path === undefined ? [] : pathProblems(path);
  if (name !== undefined && !obeys(DNS_1123_LABEL, name))
    problems.push({ path: 'name', message: `'${name}' must be ${DNS_1123_LABEL.says}` });
  if (timeoutSeconds !== undefined && !(Number.isInteger(timeoutSeconds) && timeoutSeconds >= 1 && timeoutSeconds <= MAX_TIMEOUT_SECONDS)) {
    problems.push({ path: 'timeoutSeconds', message: `is ${timeoutSeconds}; write whole seconds from 1 to ${MAX_TIMEOUT_SECONDS}` });
  }
  return [...problems, ...matchConditionProblems(matchConditions)];
}

/** Source: `ValidateWebhookService` of the API server: segments are DNS subdomains. */
function pathProblems(path: string): Problem[] {
  const [first, ...segments] = path.split('/');
  if (first !== '' || segments.length === 0 || !segments.every((segment) => obeys(DNS_1123_SUBDOMAIN, segment)))
    return [{ path: 'path', message: `${shown(path)} is not a path that the API server takes; write one as '/mutate-v1-pod'` }];
  if (path === RUNTIME_CONTRACT.paths.conversion)
    return [{ path: 'path', message: `${shown(path)} is where versions are converted; choose another` }];
  return [];
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
