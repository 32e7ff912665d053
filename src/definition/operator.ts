import { DNS_1123_LABEL, isRecord, type KindInfo, obeys } from '../kubernetes/index.js';
import { type Controller, isSettings, type Joined, type Nothing } from './controller/index.js';
import { DefinitionError, type Problem } from './errors.js';
import type { CustomResourceModel, MetricModel, OperatorModel, UseModel } from './model.js';
import { type OperatorParts, PART_SHAPES, partProblems, partsOf } from './operator-parts/index.js';
import { isKind, listOf, mustHaveShape, nameOr, record, required, type Shape, shown, text } from './option-shape.js';
import type { Policy, Webhook } from './webhook/index.js';

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
  TWebhook extends Webhook<never> | Policy = Webhook<never> | Policy,
> extends OperatorParts {
  /** Names the Deployment, the service account, the roles and the lease. */
  readonly name: string;
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
    controllers: listOf(
      made(
        (value) => has(value, 'for', 'owns', 'watches', 'reads', 'uses', 'writesStatus'),
        'is not a controller; make it with defineController({ ... })',
      ),
    ),
    webhooks: listOf(
      made(
        (value) => has(value, 'type', 'name', 'operations', 'matchConditions'),
        'is not a webhook; make it with defaulting, mutating, validating or validatingPolicy',
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
 * @throws DefinitionError when two parts are in each other's way: two controllers of one name, two webhooks at one path, two definitions of one CRD.
 */
export function defineOperator<TController extends Controller<never, never> = never, TWebhook extends Webhook<never> | Policy = never>(
  options: OperatorOptions<TController, TWebhook>,
): Operator<Joined<TController | TWebhook>> {
  return operatorOf(options);
}

function operatorOf(options: OperatorOptions): Operator {
  const subject = `operator ${nameOr(options, 'name', 'without a name')}`;
  mustHaveShape(subject, options, SHAPE);
  const { name, controllers = [], webhooks = [] } = options;
  const customResources = customResourcesOf(options);
  const problems = [
    ...optionProblems(options),
    ...conflicts(options),
    ...pathConflicts(options),
    ...useConflicts(options),
    ...resourceConflicts(customResources),
    ...partProblems(options),
  ];
  if (problems.length > 0) throw new DefinitionError(subject, problems);
  return Object.freeze({
    name,
    controllers: Object.freeze([...controllers]),
    webhooks: Object.freeze(webhooks.filter((webhook) => webhook.type !== 'policy')),
    policies: Object.freeze(webhooks.filter((webhook) => webhook.type === 'policy')),
    customResources: Object.freeze(customResources),
    ...partsOf(options),
  });
}

function customResourcesOf({ controllers = [], webhooks = [], customResources = [] }: OperatorOptions): CustomResourceModel[] {
  const kinds: readonly KindInfo[] = [
    ...controllers.map((controller) => controller.for),
    ...webhooks.flatMap((webhook) => (webhook.type === 'policy' ? [webhook.kind] : webhook.kinds)),
  ];
  const named = kinds.flatMap((kind) => ('customResource' in kind ? [kind.customResource as CustomResourceModel] : []));
  return [...new Set([...named, ...customResources])];
}

function optionProblems({ name, controllers = [], webhooks = [], customResources = [] }: OperatorOptions): Problem[] {
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

function conflicts({ controllers = [], webhooks = [] }: OperatorOptions): Problem[] {
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
      what: webhook.type === 'policy' ? 'policy name' : 'webhook name',
      hint: "give each a name with the option name: '...'",
    })),
  ];
  return named.flatMap(({ path, value, what, hint }, index) => {
    const earlier = named.slice(0, index).find((other) => other.what === what && other.value === value);
    return earlier === undefined ? [] : [{ path, message: `the ${what} '${value}' is taken by ${earlier.path}; ${hint}` }];
  });
}

/** Webhooks of one name share their path too, which their names say already. */
function pathConflicts({ webhooks = [] }: OperatorOptions): Problem[] {
  return webhooks.flatMap((webhook, index): Problem[] => {
    if (webhook.type === 'policy') return [];
    const earlier = webhooks.findIndex((other) => other.type !== 'policy' && other.path === webhook.path && other.name !== webhook.name);
    if (earlier < 0 || earlier >= index) return [];
    return [{ path: `webhooks[${index}].path`, message: `'${webhook.path}' is the path of webhooks[${earlier}] too; give each its own` }];
  });
}

/** One name is one thing in `run({ externals })`, whoever uses it. */
function useConflicts({ controllers = [], webhooks = [] }: OperatorOptions): Problem[] {
  const used = [
    ...controllers.flatMap(({ uses }, index) =>
      Object.entries(uses).map(([name, use]) => ({ name, use, path: `controllers[${index}].uses.${name}` })),
    ),
    ...webhooks.flatMap((webhook, index) =>
      Object.entries(webhook.type === 'policy' ? {} : (webhook.uses ?? {})).map(([name, use]) => ({
        name,
        use,
        path: `webhooks[${index}].uses.${name}`,
      })),
    ),
  ];
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

interface Used {
  readonly name: string;
  readonly use: UseModel;
  readonly path: string;
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

function isMetric(use: UseModel): use is MetricModel {
  return use.sort === 'metric';
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
