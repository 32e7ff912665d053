import { DNS_1123_LABEL, isRecord, type KindInfo, obeys } from '@keelson/kubernetes/apimachinery';
import { type Controller, isSettings, type Joined, type Nothing } from './controller/index.js';
import { roundTripProblems } from './custom-resource/index.js';
import { DefinitionError, type Problem } from './errors.js';
import type { CustomResourceModel, OperatorModel } from './model.js';
import { type AnyParts, type NeedsOfParts, type OperatorParts, PART_SHAPES, partProblems, partsOf } from './operator-parts/index.js';
import { isKind, listOf, mustHaveShape, nameOr, record, required, type Shape, shown, text } from './option-shape.js';
import { sharedKindProblems } from './shared-kind.js';
import { warnedOfIfUnused } from './unused-operator.js';
import { isMetric, type Used, usesIn } from './uses-of.js';
import type { MutatingPolicy, Policy, Webhook } from './webhook/index.js';

/**
 * An operator as constructs, packaging and runtime take it, with what its parts need from outside, by name.
 *
 * Contravariant, as {@link Controller}: one that needs something is not taken for one that needs nothing.
 */
export interface Operator<in TExternals = Nothing> extends OperatorModel {
  readonly '~operator'?: never;
  readonly '~externals'?: ((externals: TExternals) => void) | undefined;
}

export interface OperatorOptions<
  TController extends Controller<never, never> = Controller<never, never>,
  TWebhook extends MutatingPolicy | Policy | Webhook<never> = MutatingPolicy | Policy | Webhook<never>,
  TChecks = Nothing,
  TEndpoints = Nothing,
  TTasks = Nothing,
> extends OperatorParts<TChecks, TEndpoints, TTasks> {
  /** Names the Deployment, the service account, the roles and the lease. */
  readonly name: string;
  /**
   * Names that the operator had in releases before. The controllers take over the field managers and marks of such a name. The objects of the installation have the
   * new name: take the former installation off first.
   * @defaultValue none
   */
  readonly formerNames?: readonly string[];
  readonly controllers?: readonly TController[];
  readonly webhooks?: readonly TWebhook[];
  /**
   * Custom resources that no controller is for and no webhook names, but that come with the operator.
   * @defaultValue none
   */
  readonly customResources?: readonly CustomResourceModel[];
}

/** Values of the builders; a literal that looks like one would lack what they fill in. */
const made =
  (isMade: (value: unknown) => boolean, hint: string): Shape =>
  (value, path) =>
    isMade(value) ? [] : [{ path, message: hint }];
const has = (value: unknown, ...keys: readonly string[]): boolean => isRecord(value) && keys.every((key) => Object.hasOwn(value, key));

const SHAPE = record(
  {
    name: required(text, 'name the operator'),
    formerNames: listOf(text),
    controllers: listOf(
      made(
        (value) => has(value, 'for', 'owns', 'watches', 'reads', 'uses', 'writesStatus'),
        'is not a controller; make it with defineController({ ... })',
      ),
    ),
    webhooks: listOf(
      made(
        (value) => has(value, 'type', 'name', 'operations', 'matchConditions'),
        'is not a webhook; make it with defaulting, mutating, validating, validatingPolicy or mutatingPolicy',
      ),
    ),
    customResources: listOf(
      made(
        (value) => isKind(value) && Object.hasOwn(value, 'versionList'),
        'is not a custom resource of yours; make it with defineCustomResource({ ... }), and give it as a whole, not one of its versions',
      ),
    ),
    ...PART_SHAPES,
  },
  'not an option of an operator',
);

/**
 * Puts controllers, webhooks and policies together into what runs as one process and is installed as one.
 *
 * The custom resources follow: those that a controller is for, those that a webhook is about, and those that are listed.
 *
 * @example
 * ```ts
 * export const operator = defineOperator({ name: 'memcached-operator', controllers: [memcachedController] });
 * ```
 *
 * @throws DefinitionError when two parts are in each other's way: two controllers of one name, or of one kind that say the same
 * condition, two webhooks at one path, two definitions of one CRD.
 */
export function defineOperator<
  TController extends Controller<never, never> = never,
  TWebhook extends MutatingPolicy | Policy | Webhook<never> = never,
  TChecks extends Readonly<Record<string, unknown>> = Nothing,
  TEndpoints extends Readonly<Record<string, unknown>> = Nothing,
  TTasks extends Readonly<Record<string, unknown>> = Nothing,
>(
  options: OperatorOptions<TController, TWebhook, TChecks, TEndpoints, TTasks>,
): Operator<Joined<TController | TWebhook | NeedsOfParts<TChecks> | NeedsOfParts<TEndpoints> | NeedsOfParts<TTasks>>> {
  return operatorOf(options as unknown as AnyOptions);
}

type AnyOptions = Omit<OperatorOptions, keyof AnyParts> & AnyParts;

function operatorOf(options: AnyOptions): Operator {
  const subject = `operator ${nameOr(options, 'name', 'without a name')}`;
  mustHaveShape(subject, options, SHAPE);
  const { name, controllers = [], webhooks = [] } = options;
  const customResources = customResourcesOf(options);
  const problems = [
    ...optionProblems(options),
    ...conflicts(options),
    ...formerConflicts(options),
    ...sharedKindProblems(controllers),
    ...pathConflicts(options),
    ...resourceConflicts(customResources),
    ...customResources.flatMap((resource) =>
      roundTripProblems(resource).map(({ path, message }) => ({ path: `${resource.plural}.${resource.group}: ${path}`, message })),
    ),
    ...partProblems(options),
    ...useConflicts(options),
  ];
  if (problems.length > 0) throw new DefinitionError(subject, problems);
  const { formerNames = [] } = options;
  return warnedOfIfUnused({
    name,
    ...(formerNames.length === 0 ? {} : { formerNames: Object.freeze([...formerNames]) }),
    controllers: Object.freeze([...controllers]),
    webhooks: Object.freeze(webhooks.filter(isWebhook)),
    policies: Object.freeze(webhooks.filter((webhook) => webhook.type === 'policy')),
    ...mutatingPoliciesOf(webhooks),
    customResources: Object.freeze(customResources),
    ...partsOf(options),
  });
}

type Admission = NonNullable<AnyOptions['webhooks']>[number];

function isWebhook(admission: Admission): admission is Webhook<never> {
  return admission.type === 'mutating' || admission.type === 'validating';
}

function mutatingPoliciesOf(webhooks: readonly Admission[]): Pick<OperatorModel, 'mutatingPolicies'> {
  const mutatingPolicies = webhooks.filter((webhook) => webhook.type === 'mutating-policy');
  return mutatingPolicies.length === 0 ? {} : { mutatingPolicies: Object.freeze(mutatingPolicies) };
}

/** The kinds that it is about; the definition of its parameters comes with the operator too. */
function kindsOf(admission: Admission): readonly KindInfo[] {
  if (isWebhook(admission)) return admission.kinds;
  return admission.type === 'policy' || admission.params === undefined ? [admission.kind] : [admission.kind, admission.params.kind];
}

function customResourcesOf({ controllers = [], webhooks = [], customResources = [] }: AnyOptions): CustomResourceModel[] {
  const kinds: readonly KindInfo[] = [...controllers.map((controller) => controller.for), ...webhooks.flatMap(kindsOf)];
  const named = kinds.flatMap((kind) => ('customResource' in kind ? [kind.customResource as CustomResourceModel] : []));
  return [...new Set([...named, ...customResources])];
}

function optionProblems({ name, controllers = [], webhooks = [], customResources = [] }: AnyOptions): Problem[] {
  const problems: Problem[] = [];
  if (!obeys(DNS_1123_LABEL, name)) problems.push({ path: 'name', message: `${shown(name)} must be ${DNS_1123_LABEL.says}` });
  if (controllers.length + webhooks.length + customResources.length === 0) {
    problems.push({
      path: 'controllers',
      message: 'is empty, as is the rest; give the operator a controller, a webhook or a custom resource',
    });
  }
  return problems;
}

interface Named {
  readonly path: string;
  readonly value: string;
  readonly what: string;
  readonly hint: string;
}

const NAMES: Readonly<Record<Admission['type'], string>> = {
  mutating: 'webhook name',
  validating: 'webhook name',
  policy: 'policy name',
  'mutating-policy': 'mutating policy name',
};

function conflicts({ controllers = [], webhooks = [] }: AnyOptions): Problem[] {
  const named: Named[] = [
    ...controllers.map(({ name }, index) => ({
      path: `controllers[${index}].name`,
      value: name,
      what: 'name',
      hint: 'it names the field manager and the metrics; choose another',
    })),
    ...controllers.flatMap(({ finalizer }, index) =>
      finalizer === undefined
        ? []
        : [
            {
              path: `controllers[${index}].finalizer`,
              value: finalizer,
              what: 'finalizer',
              hint: 'each would remove the other’s; name one of them',
            },
          ],
    ),
    ...webhooks.map((webhook, index) => ({
      path: `webhooks[${index}]`,
      value: webhook.name,
      what: NAMES[webhook.type],
      hint: "give each a name with the option name: '...'",
    })),
  ];
  return named.flatMap(({ path, value, what, hint }, index) => {
    const earlier = named.slice(0, index).find((other) => other.what === what && other.value === value);
    return earlier === undefined ? [] : [{ path, message: `the ${what} '${value}' is taken by ${earlier.path}; ${hint}` }];
  });
}

/** Two controllers must not take over the same former name. */
function formerConflicts({ name, formerNames = [], controllers = [] }: AnyOptions): Problem[] {
  const named = controllers.flatMap(({ name: own, finalizer, formerNames: names = [], formerFinalizers = [] }, index) => {
    const path = `controllers[${index}]`;
    const heldBy = (what: 'name' | 'finalizer', value: string, list = '') => ({
      path: `${path}.${list === '' ? what : list}`,
      what,
      value,
      isFormer: list !== '',
    });
    return [
      heldBy('name', own),
      ...(finalizer === undefined ? [] : [heldBy('finalizer', finalizer)]),
      ...names.map((former) => heldBy('name', former, 'formerNames')),
      ...formerFinalizers.map((former) => heldBy('finalizer', former, 'formerFinalizers')),
    ];
  });
  return [
    ...formerNames.flatMap((former, index): Problem[] => {
      const path = `formerNames[${index}]`;
      if (former === name) return [{ path, message: `'${former}' is the name that the operator has; leave it out` }];
      return obeys(DNS_1123_LABEL, former) ? [] : [{ path, message: `${shown(former)} must be ${DNS_1123_LABEL.says}` }];
    }),
    ...named.flatMap(({ path, what, value, isFormer }, index): Problem[] => {
      const other = isFormer
        ? named.find((one, at) => one.what === what && one.value === value && (!one.isFormer || at < index))
        : undefined;
      return other === undefined
        ? []
        : [{ path, message: `the ${what} '${value}' is that of ${other.path} too; one of them takes over what stands under it` }];
    }),
  ];
}

/** Webhooks of one name share their path too, which their names say already. */
function pathConflicts({ webhooks = [] }: AnyOptions): Problem[] {
  return webhooks.flatMap((webhook, index): Problem[] => {
    if (!isWebhook(webhook)) return [];
    const earlier = webhooks.findIndex((other) => isWebhook(other) && other.path === webhook.path && other.name !== webhook.name);
    if (earlier < 0 || earlier >= index) return [];
    return [{ path: `webhooks[${index}].path`, message: `'${webhook.path}' is the path of webhooks[${earlier}] too; give each its own` }];
  });
}

/** One name is one thing in `run({ externals })`, for all controllers that use it. */
function useConflicts(options: AnyOptions): Problem[] {
  const { controllers = [], webhooks = [] } = options;
  const used = usesIn({ controllers, webhooks: webhooks as OperatorModel['webhooks'], ...partsOf(options) });
  return [
    ...metricConflicts(used),
    ...variableConflicts(used),
    ...used.flatMap(({ name, use, path }, index) => {
      const earlier = used.slice(0, index).find((other) => other.name === name && other.use !== use);
      return earlier === undefined
        ? []
        : [{ path, message: `'${name}' is another one than at ${earlier.path}; export one const, or choose another name` }];
    }),
  ];
}

/** One name is one metric on the endpoint. */
function metricConflicts(used: readonly Used[]): Problem[] {
  const metrics = used.flatMap(({ use, path }) => (isMetric(use) ? [{ use, path }] : []));
  return metrics.flatMap(({ use, path }, index) => {
    const earlier = metrics.slice(0, index).find((other) => other.use.name === use.name && other.use !== use);
    return earlier === undefined ? [] : [{ path, message: `the metric ${use.name} is declared at ${earlier.path} too; export one const` }];
  });
}

/** One variable holds one setting. */
function variableConflicts(used: readonly Used[]): Problem[] {
  const fields = used.flatMap(({ use, path }) => (isSettings(use) ? use.fields.map(({ variable }) => ({ use, variable, path })) : []));
  return fields.flatMap(({ use, variable, path }, index) => {
    const earlier = fields.slice(0, index).find((other) => other.variable === variable && other.use !== use);
    return earlier === undefined
      ? []
      : [{ path, message: `the variable ${variable} holds a setting of ${earlier.path} too; export one const, or give a prefix` }];
  });
}

/** Two copies of one definition arise when a module is loaded twice (ESM and CommonJS); equal ones would be harmless, but the author cannot see that they are. */
function resourceConflicts(customResources: readonly CustomResourceModel[]): Problem[] {
  return customResources.flatMap((resource, index) => {
    const path = `customResources[${resource.plural}.${resource.group}]`;
    const earlier = customResources.slice(0, index).filter((other) => other.group === resource.group);
    const problems: Problem[] = [];
    if (earlier.some((other) => other.plural === resource.plural)) {
      problems.push({ path, message: 'is defined twice; import one definition everywhere' });
    } else if (earlier.some((other) => other.kind === resource.kind)) {
      problems.push({ path, message: `the kind ${resource.kind} is defined with another plural too; a group has each kind once` });
    }
    const taken = earlier.find((other) => other.shortNames.some((shortName) => resource.shortNames.includes(shortName)));
    if (taken !== undefined) {
      problems.push({
        path,
        message: `shares a short name with ${taken.plural}.${taken.group}; the API server would accept the first only: change one`,
      });
    }
    return problems;
  });
}
