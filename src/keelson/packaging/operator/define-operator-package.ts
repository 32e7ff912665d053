import type { Json } from '@keelson/kubernetes/apimachinery';
import { ApiObject, type Chart } from 'cdk8s';
import { z } from 'zod';
import { Operator, type OperatorProps } from '../../constructs/index.js';
import { isSelective, type LabelSelectorModel, type OperatorModel } from '../../definition/index.js';
import { PackageError } from '../errors.js';
import { type Package, type PackageContext, type PackageExtension, type PackageMetadata, packageOf } from '../package/index.js';
import type { DefaultsOf, ValueTree } from '../values/index.js';
import { certificatesFrom } from './certificate-values.js';
import { type CrdValues, crdsPackage } from './crds-package.js';
import { withoutSchemas, withSchemas } from './large-schemas.js';
import { NODE_OPTIONS_TEMPLATE } from './node-options.js';
import { longestName, type OperatorValues, operatorValues } from './operator-values.js';
import { settingsFrom, settingsWithoutDefault } from './setting-values.js';

/** Every operator's values with those of the author, if there are any: an object schema without fields would take any key, and allow it no value. */
export type OperatorPackageValues<TValues extends z.ZodObject> = string extends keyof z.output<TValues>
  ? OperatorValues
  : OperatorValues & z.output<TValues>;

export interface OperatorPackageOptions<TValues extends z.ZodObject = z.ZodObject<Record<never, never>>> extends PackageMetadata {
  /** The operator, as `defineOperator` returns it. */
  readonly operator: OperatorModel;
  /** Image of the process, with a tag or a digest: the default of the values `image.repository`, `image.tag` and `image.digest`. */
  readonly image: string;
  /** Version of the package, by semantic versioning. */
  readonly version: string;
  /** @default - the operator's name */
  readonly name?: string | undefined;
  /** Namespace of the plain manifests. With Helm it is the release's. @default - the name, followed by `-system` */
  readonly namespace?: string | undefined;
  /**
   * Where the CustomResourceDefinitions are. `chart`: a package of their own, `<name>-crds`, which `keelson package helm` writes beside this one. It is installed
   * first and upgraded by itself, as GitOps tools with an order want it.
   * @default 'templates' - the chart of the operator has them, and upgrades them
   */
  readonly crds?: 'templates' | 'chart' | undefined;
  /** Values of your own, beside those that every operator has. @default - none */
  readonly values?: TValues | undefined;
  /** Other defaults of the values that every operator has. @default - those of the table in docs/packaging.md */
  readonly defaults?: DefaultsOf<OperatorValues> | undefined;
  /**
   * Overlays of the Kustomize base, by name: values that differ from the defaults.
   * @default - `cluster-wide`, `namespaced`, `cert-manager` and `metrics`; your own come beside them
   */
  readonly overlays?: Readonly<Record<string, DefaultsOf<OperatorPackageValues<TValues>>>> | undefined;
  /** More props of the `Operator`, over those that the values give. @default - none */
  readonly props?:
    | ((context: PackageContext<OperatorPackageValues<TValues>>) => Partial<Omit<OperatorProps, 'operator' | 'name' | 'namespace'>>)
    | undefined;
  /** Creates what belongs to the package beside the operator. @default - nothing */
  readonly extras?:
    | ((chart: Chart, context: PackageContext<OperatorPackageValues<TValues>> & { readonly operator: Operator }) => void)
    | undefined;
  /** Text that `helm install` prints at the end. @default - how to see the operator at work */
  readonly notes?: string | undefined;
}

/** The package of an operator. */
export interface OperatorPackage<in TValues = never> extends Package<TValues> {
  /** The CustomResourceDefinitions, with `crds: 'chart'`. */
  readonly crds: Package<CrdValues> | undefined;
}

/**
 * The package of an operator, with the values that every operator has: image, replicas, resources, watched namespaces, certificates, settings, and what can be
 * turned on and off.
 *
 * @example
 * ```ts
 * export const memcached = defineOperatorPackage({
 *   operator,
 *   image: 'registry.example.com/memcached-operator:1.0.0',
 *   version: '1.0.0',
 *   values: z.object({ mirror: z.string().default('docker.io').describe('Registry of the images.') }),
 *   props: ({ values }) => ({ env: { MEMCACHED_IMAGE: `${values.mirror}/memcached:1.6` } }),
 * });
 * ```
 *
 * @throws PackageError if the image, the name, the version or a value cannot be used
 */
export function defineOperatorPackage<TValues extends z.ZodObject = z.ZodObject<Record<never, never>>>(
  options: OperatorPackageOptions<TValues>,
): OperatorPackage<OperatorPackageValues<TValues>> {
  const { operator, image, props, extras, defaults, values, crds = 'templates', ...rest } = options;
  const { name = operator.name } = options;
  const { notes = notesOf(name, operator, crds) } = options;
  const namespace = options.namespace ?? `${name}-system`;
  const settings = (defaults?.settings ?? {}) as Readonly<Record<string, Json>>;
  const own = operatorValues(operator, { image: imageParts(image), settings, hasCrds: crds === 'templates' });
  const [missing] = props === undefined ? settingsWithoutDefault(operator, settings) : [];
  if (missing !== undefined)
    throw new PackageError(
      `settings.${missing} must be given and has no default, and a chart must render as it is; give one with defaults: { settings: { ${missing}: … } }`,
    );
  const taken = Object.keys(values?.shape ?? {}).find((key) => key in own.shape);
  if (taken !== undefined)
    throw new PackageError(
      `values.${taken}: every operator's chart has a value of this name; choose another, or change its default with defaults`,
    );
  type Context = PackageContext<OperatorPackageValues<TValues>>;
  const light = withoutSchemas(operator);
  const build = (chart: Chart, context: Context): void => {
    const given = props?.(context) ?? {};
    // An author's own options of the CustomResourceDefinitions may change their schemas.
    const isMarked = context.format === 'helm' && given.crds === undefined;
    const standard = {
      ...propsOf(isMarked ? light : operator, crds, context),
      settings: settingsFrom(operator, context.values.settings ?? {}, context.format === 'helm' ? settings : undefined),
    };
    const construct = new Operator(chart, CONSTRUCT, { ...standard, ...given, env: { ...standard.env, ...given.env } });
    if (context.values.serviceAccount.existing === '') {
      const account = ApiObject.of(construct.serviceAccount);
      for (const [key, value] of Object.entries(context.values.serviceAccount.annotations)) account.metadata.addAnnotation(key, value);
    }
    extras?.(chart, { ...context, operator: construct });
  };
  const companion =
    crds === 'chart' && operator.customResources.length > 0 ? crdsPackage({ ...rest, operator, name, namespace }) : undefined;
  const whole = packageOf(
    {
      ...rest,
      name,
      notes,
      defaults,
      namespace,
      values: z.object({ ...own.shape, ...values?.shape }),
      build: build as (chart: Chart, context: PackageContext<unknown>) => void,
    },
    {
      ...extensionOf(name, longestName(operator)),
      operator,
      companions: companion === undefined ? [] : [companion],
      complete: withSchemas(operator.customResources),
    },
  ) as Package<OperatorPackageValues<TValues>>;
  return Object.freeze({ ...whole, crds: companion });
}

function propsOf(
  operator: OperatorModel,
  place: 'templates' | 'chart',
  { values, release, format }: PackageContext<OperatorValues>,
): OperatorProps {
  const { image, crds, metrics } = values;
  return {
    operator,
    name: release.name,
    namespace: release.namespace,
    image: image.digest === '' ? `${image.repository}:${image.tag}` : `${image.repository}@${image.digest}`,
    imagePullPolicy: image.pullPolicy,
    imagePullSecrets: values.imagePullSecrets,
    replicas: values.replicas,
    resources: values.resources,
    scope: values.watchNamespaces.length === 0 ? 'Cluster' : { namespaces: values.watchNamespaces },
    selector: values.selector,
    fieldSelector: values.fieldSelector,
    webhookSelector: webhookSelectorOf(values, format),
    logLevel: values.logLevel,
    env: Object.fromEntries(values.env.map(({ name, ...source }) => [name, source])),
    envFrom: values.envFrom.length === 0 ? undefined : values.envFrom,
    serviceAccount: values.serviceAccount.existing === '' ? undefined : { name: values.serviceAccount.existing },
    crds: crds?.enabled === true && {
      metadata: { annotations: format === 'helm' && crds.keep ? { 'helm.sh/resource-policy': 'keep' } : {} },
    },
    // With a chart of their own they are still the author's: the operator brings stored objects to the storage version.
    storedVersions: place === 'chart' ? values.watchNamespaces.length === 0 && !isSelective(values) : undefined,
    aggregateRoles: values.rbac?.aggregate,
    certificates: certificatesFrom(values.certificates),
    metrics: metrics.enabled && { secure: metrics.secure, readers: metrics.readers },
    serviceMonitor: values.serviceMonitor.enabled && { metadata: { labels: values.serviceMonitor.labels } },
    networkPolicy: values.networkPolicy.enabled,
    podDisruptionBudget: values.podDisruptionBudget.enabled ? undefined : false,
    grafanaDashboard: values.grafanaDashboard.enabled,
    podMetadata: { labels: values.podLabels, annotations: values.podAnnotations },
    nodeSelector: notEmpty(values.nodeSelector),
    tolerations: values.tolerations,
    affinity: notEmpty(values.affinity),
    priorityClassName: values.priorityClassName === '' ? undefined : values.priorityClassName,
  };
}

/** A chart cannot read the text of a selector: there the webhooks have one of their own. */
function webhookSelectorOf(
  { webhookSelector }: OperatorValues,
  format: PackageContext<OperatorValues>['format'],
): LabelSelectorModel | undefined {
  const { matchLabels = {} } = webhookSelector ?? {};
  if (Object.keys(matchLabels).length > 0) return { matchLabels };
  return format === 'helm' ? {} : undefined;
}

function notEmpty<T extends object>(value: T): T | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}

function imageParts(image: string): { readonly repository: string; readonly tag: string; readonly digest: string } {
  const [, repository = '', tag = '', digest = ''] = /^([^@\s]+?)(?::([\w][\w.-]*))?(?:@(sha256:[0-9a-f]{64}))?$/.exec(image) ?? [];
  if (repository !== '' && tag === 'latest' && digest === '')
    process.emitWarning(
      `the image '${image}' can be another one tomorrow, and no rollout shows it; name a version or a digest: registry/name:1.0.0`,
      {
        type: 'KeelsonWarning',
        code: 'KEELSON_PACKAGE_IMAGE',
      },
    );
  if (repository !== '' && (tag !== '' || digest !== '')) return { repository, tag, digest };
  throw new PackageError(`image '${image}' must have a tag or a digest; write registry/name:tag, or registry/name@sha256:…`);
}

function notesOf(name: string, { customResources }: OperatorModel, crds: 'templates' | 'chart'): string {
  const kinds = customResources.map(({ plural, group }) => `${plural}.${group}`);
  const groups = [...new Set(customResources.map(({ group }) => group))];
  const list =
    kinds.length === 0 ? '' : `\nIts kinds:\n\n${groups.map((group) => `  kubectl api-resources --api-group ${group}\n`).join('')}`;
  const kept =
    kinds.length === 0 || crds === 'chart'
      ? ''
      : '{{- if and .Values.crds.enabled .Values.crds.keep }}\n\nhelm uninstall keeps the CustomResourceDefinitions and all objects of these kinds. To remove them too, first delete the\n' +
        `objects while the operator still runs, uninstall, and then:\n\n  kubectl delete crd ${kinds.join(' ')}\n{{- end }}\n`;
  return (
    '{{ .Chart.Name }} {{ .Chart.AppVersion }} is installed in the namespace {{ .Release.Namespace }}.\n\nSee it come up:\n\n  kubectl -n {{ .Release.Namespace }} get deployments\n' +
    list +
    kept +
    `\nhelm uninstall leaves what the operator has made for itself: its Lease, and the Secret with its certificate. The next\ninstallation takes both over. To remove them, when its Pods are gone:\n\n  kubectl -n {{ .Release.Namespace }} delete --ignore-not-found lease/{{ include "${name}.fullname" . }} secret/{{ include "${name}.fullname" . }}-certificate\n`
  );
}

/** A release and what it installs have one name: it is the instance, and two releases do not meet. Within a parent chart, which may have several, each has its own. */
function fullnameTemplate(longest: number): string {
  return `{{- define "PACKAGE.fullname" -}}
{{- $name := .Release.Name -}}
{{- if not .Chart.IsRoot }}{{ $name = printf "%s-%s" .Release.Name .Chart.Name }}{{ end -}}
{{- .Values.fullnameOverride | default $name | trunc ${longest} | trimSuffix "-" -}}
{{- end }}
`;
}

/** Id of the operator's construct. Others, of `extras`, have memory of their own. */
const CONSTRUCT = 'operator';
function operatorOverlays(namespace: string): Readonly<Record<string, DefaultsOf<OperatorValues>>> {
  return {
    'cluster-wide': {},
    namespaced: { watchNamespaces: [namespace] },
    'cert-manager': { certificates: { mode: 'certManager' } },
    metrics: { serviceMonitor: { enabled: true } },
  };
}

const NODE_OPTIONS = 'NODE_OPTIONS';

/** The heap's size follows from the memory limit by arithmetic, which a chart does in a template of its own. */
function extensionOf(name: string, longest: number): PackageExtension {
  return {
    overlays: operatorOverlays,
    installedAs: (whole, part) => `${whole}-${part}`,
    helpers: `${fullnameTemplate(longest)}${NODE_OPTIONS_TEMPLATE}`.replaceAll('PACKAGE', name),
    facts: ({ values, synthesize }) => [
      {
        name: 'name',
        of: ({ fullnameOverride }, installedAs = name) =>
          typeof fullnameOverride === 'string' && fullnameOverride !== '' ? fullnameOverride : installedAs,
        expression: (root) => `include "${name}.fullname" ${root === '.' ? '.' : '$'}`,
      },
      {
        name: NODE_OPTIONS,
        of: ({ resources }) => {
          const result = synthesize({ ...values.defaults, resources: resources ?? {} } as ValueTree, () => 'name', 'manifests');
          return 'refusal' in result ? '' : ([...result.objects.values()].map(nodeOptionsIn).find((found) => found !== undefined) ?? '');
        },
        expression: (root) => `include "${name}.nodeOptions" ${root === '.' ? '.' : '$'}`,
      },
    ],
    adapt: (object, fact, path) =>
      path.startsWith(`${CONSTRUCT}/`) && nodeOptionsIn(object) !== undefined ? withNodeOptions(object, fact(NODE_OPTIONS)) : object,
  };
}

interface Workload {
  readonly kind: string;
  readonly spec?: { readonly template?: { readonly spec?: { readonly containers?: readonly Container[] } } };
}

interface Container {
  readonly name: string;
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
}

const DERIVED = /^--max-old-space-size=\d+ --max-semi-space-size=\d+$/;

function nodeOptionsIn(object: Json): string | undefined {
  const { kind, spec } = object as unknown as Workload;
  if (kind !== 'Deployment') return undefined;
  const variables = spec?.template?.spec?.containers?.flatMap(({ env = [] }) => env) ?? [];
  return variables.find(({ name, value }) => name === NODE_OPTIONS && DERIVED.test(value ?? ''))?.value;
}

function withNodeOptions(object: Json, value: string): Json {
  const copy = structuredClone(object) as unknown as {
    spec: { template: { spec: { containers: { env?: { name: string; value?: string }[] }[] } } };
  };
  for (const { env = [] } of copy.spec.template.spec.containers)
    for (const variable of env) if (variable.name === NODE_OPTIONS && DERIVED.test(variable.value ?? '')) variable.value = value;
  return copy as unknown as Json;
}
