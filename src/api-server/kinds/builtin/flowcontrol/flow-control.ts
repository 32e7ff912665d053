import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../behaviour.js';
import { atLeast, atMost, declaredErrors, dnsSubdomain, type Errors, internalValue, type Rule, those } from '../checks/index.js';
import type { FlowSchema, FlowSchemaSpec, PriorityLevelConfiguration, PriorityLevelConfigurationSpec } from '../drafts.js';
import { withStatus } from '../generation.js';
import { semanticEqual } from '../semantic-equal.js';
import { flowRuleErrors } from './flow-rules.js';

const MAX_PRECEDENCE = 10_000;
const METHODS = ['ByNamespace', 'ByUser'];

type Conditions = readonly { readonly type?: string | undefined }[];

/** Both kinds come to their objects alike. */
function frame<
  T extends { metadata: object; spec?: unknown; status?: { conditions?: Conditions | undefined } | undefined },
>(): Behaviour<T> {
  return {
    ...withStatus<T>({ newStatus: () => ({}) }),
    revalidatesMetadata: true,
    validateStatusUpdate: ({ status }) => conditionErrors(status?.conditions ?? []),
    resetFields: { '': ['status'], status: ['metadata', 'spec'] },
  };
}

/**
 * The rules of waiting at a busy server: requests to this server never wait, even if such rules are stored.
 *
 * Source: kubernetes `pkg/registry/flowcontrol/flowschema`, `pkg/apis/flowcontrol/{v1,validation}`.
 */
export const flowSchemas: Behaviour<FlowSchema> = {
  setDefaults({ spec }) {
    spec.matchingPrecedence ||= 1_000;
  },
  ...frame<FlowSchema>(),
  validate: schemaErrors,
  validateUpdate: schemaErrors,
};

function schemaErrors({ metadata: { name }, spec, status }: FlowSchema): Errors {
  const { matchingPrecedence: precedence = 0, distinguisherMethod: method, priorityLevelConfiguration, rules } = spec;
  const path = 'spec.matchingPrecedence';
  const level = priorityLevelConfiguration?.name ?? '';
  const levelPath = 'spec.priorityLevelConfiguration.name';
  const fixed = FIXED_SCHEMAS[name];
  return those(
    precedence <= 0 && invalid(path, precedence, 'must be a positive value'),
    precedence > MAX_PRECEDENCE && invalid(path, precedence, `must not be greater than ${MAX_PRECEDENCE}`),
    precedence === 1 && name !== 'exempt' && invalid(path, precedence, "only the schema named 'exempt' may have matchingPrecedence 1"),
    !(method === undefined || METHODS.includes(method.type)) &&
      notSupported('spec.distinguisherMethod.type', internalValue('flowcontrol/v1.FlowDistinguisherMethod', method), METHODS),
    level === '' ? [required(levelPath, 'must reference a priority level')] : dnsSubdomain(level, levelPath),
    (rules ?? []).flatMap((rule, index) => flowRuleErrors(rule, `spec.rules[${index}]`)),
    !(fixed === undefined || semanticEqual(spec, fixed)) &&
      invalid('spec', internalValue('flowcontrol/v1.FlowSchemaSpec', spec), `spec of '${name}' must equal the fixed value`),
    conditionErrors(status?.conditions ?? []),
  );
}

function conditionErrors(conditions: Conditions): Errors {
  const types = conditions.map(({ type = '' }) => type);
  return types.flatMap((type, index) =>
    those(
      types.indexOf(type) < index && duplicate(`status.conditions[${index}].type`, type),
      type === '' && required(`status.conditions[${index}].type`),
    ),
  );
}

/** Source: kubernetes `pkg/registry/flowcontrol/prioritylevelconfiguration`, `pkg/apis/flowcontrol/{v1,validation}`. */
export const priorityLevels: Behaviour<PriorityLevelConfiguration> = {
  setDefaults({ spec: { exempt, limited } }) {
    if (exempt !== undefined) {
      exempt.nominalConcurrencyShares ??= 0;
      exempt.lendablePercent ??= 0;
    }
    if (limited === undefined) return;
    limited.nominalConcurrencyShares ??= 30;
    limited.lendablePercent ??= 0;
    const queuing = limited.limitResponse?.queuing;
    if (queuing === undefined) return;
    queuing.handSize ||= 8;
    queuing.queues ||= 64;
    queuing.queueLengthLimit ||= 50;
  },
  ...frame<PriorityLevelConfiguration>(),
  validate: levelErrors,
  validateUpdate: levelErrors,
};

const ZERO_SHARES = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';

function levelErrors({ metadata, spec, status }: PriorityLevelConfiguration): Errors {
  const { annotations = {} } = metadata as { readonly annotations?: Readonly<Record<string, string>> };
  return those(
    Object.hasOwn(annotations, ZERO_SHARES) && forbidden('metadata.annotations', `annotation '${ZERO_SHARES}' is forbidden`),
    levelSpecErrors(spec, metadata.name),
    fixedLevelErrors(spec, metadata.name),
    conditionErrors(status?.conditions ?? []),
  );
}

function levelSpecErrors({ type, exempt, limited }: PriorityLevelConfigurationSpec, name: string): Errors {
  const errors: FieldError[] = [];
  if ((name === 'exempt') !== (type === 'Exempt')) {
    errors.push(invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'"));
  }
  if (type === 'Exempt') {
    if (exempt !== undefined) errors.push(...nominalErrors(exempt, 'spec.exempt'), ...lendableErrors(exempt, 'spec.exempt'));
  } else if (type === 'Limited') {
    if (limited !== undefined) errors.push(...limitedErrors(limited, 'spec.limited'));
  } else if ((type as string) !== '') errors.push(notSupported('spec.type', type, ['Exempt', 'Limited']));
  return [...errors, ...declaredErrors(declaredLevelErrors({ type, exempt, limited }))];
}

/** The part that the type asks for, and no other. */
function declaredLevelErrors({ type, exempt, limited }: PriorityLevelConfigurationSpec): Errors {
  const { type: response = '', queuing }: Partial<NonNullable<Limited['limitResponse']>> = limited?.limitResponse ?? {};
  const queuingPath = 'spec.limited.limitResponse.queuing';
  return those(
    type !== 'Exempt' && exempt !== undefined && forbidden('spec.exempt', ''),
    type !== 'Limited' && limited !== undefined && forbidden('spec.limited', ''),
    type === 'Limited' && limited === undefined && required('spec.limited'),
    (type as string) === '' && required('spec.type'),
    limited !== undefined && response !== 'Queue' && queuing !== undefined && forbidden(queuingPath, ''),
    limited !== undefined && response === 'Queue' && queuing === undefined && required(queuingPath),
    limited !== undefined && response === '' && required('spec.limited.limitResponse.type'),
  );
}

interface Shares {
  readonly nominalConcurrencyShares?: number | undefined;
  readonly lendablePercent?: number | undefined;
}

function nominalErrors({ nominalConcurrencyShares: shares = 0 }: Shares, path: string): Errors {
  return shares < 0 ? [invalid(`${path}.nominalConcurrencyShares`, shares, 'must be a non-negative integer')] : [];
}

function lendableErrors({ lendablePercent: percent = 0 }: Shares, path: string): Errors {
  return percent >= 0 && percent <= 100 ? [] : [invalid(`${path}.lendablePercent`, percent, 'must be between 0 and 100, inclusive')];
}

type Limited = NonNullable<PriorityLevelConfigurationSpec['limited']>;

function limitedErrors(limited: Limited, path: string): Errors {
  const { type = '', queuing }: Partial<NonNullable<Limited['limitResponse']>> = limited.limitResponse ?? {};
  const { borrowingLimitPercent: percent = 0 } = limited;
  const field = `${path}.limitResponse`;
  const errors = [...nominalErrors(limited, path)];
  if (type === 'Queue' && queuing !== undefined) errors.push(...queuingErrors(queuing, `${field}.queuing`));
  if (!['', 'Queue', 'Reject'].includes(type)) errors.push(notSupported(`${field}.type`, type, ['Queue', 'Reject']));
  errors.push(...lendableErrors(limited, path));
  if (percent < 0) errors.push(invalid(`${path}.borrowingLimitPercent`, percent, 'if specified, must be a non-negative integer'));
  return errors;
}

const MAX_QUEUES = 10_000_000;
/** Bits of the hash by which flows differ. */
const MAX_ENTROPY = 60;

function queuingErrors(
  { handSize = 0, queues = 0, queueLengthLimit = 0 }: NonNullable<NonNullable<Limited['limitResponse']>['queuing']>,
  path: string,
): Errors {
  const hand = `${path}.handSize`;
  const entropy = Math.ceil(Math.log2(queues) * handSize);
  const tooMuch = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${MAX_ENTROPY}`;
  const isDrawable = handSize > 0 && handSize <= queues;
  return those(
    positiveOnly(queueLengthLimit, `${path}.queueLengthLimit`),
    positiveOnly(queues, `${path}.queues`),
    atMost(MAX_QUEUES, `must not be greater than ${MAX_QUEUES}`)(queues, `${path}.queues`),
    positiveOnly(handSize, hand),
    handSize > 0 && atMost(queues, `should not be greater than queues (${queues})`)(handSize, hand),
    isDrawable && entropy > MAX_ENTROPY && invalid(hand, handSize, tooMuch),
  );
}

const positiveOnly: Rule<number> = atLeast(1, 'must be positive');

/** The level `exempt` may be changed in its own part, `catch-all` not at all. */
function fixedLevelErrors(spec: PriorityLevelConfigurationSpec, name: string): Errors {
  const printed = (): unknown => internalValue('flowcontrol/v1.PriorityLevelConfigurationSpec', spec);
  if (name === 'exempt') {
    const { exempt: _exempt, ...rest } = spec;
    if (semanticEqual(rest, { type: 'Exempt' })) return [];
    return [invalid('spec', printed(), "spec of 'exempt' except the 'spec.exempt' field must equal the fixed value")];
  }
  if (name !== 'catch-all' || semanticEqual(spec, CATCH_ALL_LEVEL)) return [];
  return [invalid('spec', printed(), "spec of 'catch-all' must equal the fixed value")];
}

const CATCH_ALL_LEVEL: PriorityLevelConfigurationSpec = {
  type: 'Limited',
  limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: 'Reject' } },
};

const fixedSchema = (groups: readonly string[], fields: Omit<FlowSchemaSpec, 'rules'>): FlowSchemaSpec => ({
  ...fields,
  rules: [
    {
      subjects: groups.map((name) => ({ kind: 'Group', group: { name } })),
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    },
  ],
});

const FIXED_SCHEMAS: Readonly<Record<string, FlowSchemaSpec>> = {
  exempt: fixedSchema(['system:masters'], { matchingPrecedence: 1, priorityLevelConfiguration: { name: 'exempt' } }),
  'catch-all': fixedSchema(['system:unauthenticated', 'system:authenticated'], {
    matchingPrecedence: MAX_PRECEDENCE,
    priorityLevelConfiguration: { name: 'catch-all' },
    distinguisherMethod: { type: 'ByUser' },
  }),
};
