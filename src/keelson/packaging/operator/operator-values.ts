import type { Json } from '@keelson/kubernetes/apimachinery';
import { z } from 'zod';
import { LOG_LEVELS, type LogLevel, type OperatorModel, selectableFields } from '../../definition/index.js';
import { type CertificateValues, certificateValues } from './certificate-values.js';
import { settingValues } from './setting-values.js';

/** Values of every operator's chart. Groups that an operator has no use for are left out of its chart. */
export interface OperatorValues {
  readonly fullnameOverride: string;
  readonly image: {
    readonly repository: string;
    readonly tag: string;
    readonly digest: string;
    readonly pullPolicy: 'IfNotPresent' | 'Always' | 'Never';
  };
  readonly imagePullSecrets: readonly { readonly name: string }[];
  readonly replicas: number;
  readonly resources: Readonly<Record<string, unknown>>;
  readonly watchNamespaces: readonly string[];
  readonly selector: string;
  readonly fieldSelector: string;
  readonly webhookSelector: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly logLevel: LogLevel;
  readonly env: readonly { readonly name: string; readonly value?: string | undefined; readonly valueFrom?: unknown }[];
  readonly envFrom: readonly Readonly<Record<string, unknown>>[];
  readonly settings: Readonly<Record<string, Json>>;
  readonly serviceAccount: { readonly existing: string; readonly annotations: Readonly<Record<string, string>> };
  readonly crds: { readonly enabled: boolean; readonly keep: boolean };
  readonly rbac: { readonly aggregate: boolean };
  readonly certificates: CertificateValues;
  readonly metrics: {
    readonly enabled: boolean;
    readonly secure: boolean;
    readonly readers: readonly { readonly name: string; readonly namespace: string }[];
  };
  readonly serviceMonitor: { readonly enabled: boolean; readonly labels: Readonly<Record<string, string>> };
  readonly networkPolicy: { readonly enabled: boolean };
  readonly podDisruptionBudget: { readonly enabled: boolean };
  readonly grafanaDashboard: { readonly enabled: boolean };
  readonly podLabels: Readonly<Record<string, string>>;
  readonly podAnnotations: Readonly<Record<string, string>>;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly Readonly<Record<string, unknown>>[];
  readonly affinity: Readonly<Record<string, unknown>>;
  readonly priorityClassName: string;
}

const DEFAULT_RESOURCES = { limits: { memory: '256Mi' }, requests: { cpu: '50m', memory: '128Mi' } };

const texts = (description: string) => z.record(z.string(), z.string()).default({}).describe(description);
const objects = (description: string) => z.array(z.looseObject({})).default([]).describe(description);
const flag = (byDefault: boolean, description: string) => z.boolean().default(byDefault).describe(description);

/** Longest name of an installation: its Services add `-webhook`, or the name of an endpoint, and may have 63 characters. */
export function longestName({ endpoints = [] }: OperatorModel): number {
  return 63 - Math.max('-webhook'.length, ...endpoints.map(({ name }) => name.length + 1));
}

type Shape = Readonly<Record<string, z.ZodType>>;

/** The parts of an image reference. */
interface Image {
  readonly repository: string;
  readonly tag: string;
  readonly digest: string;
}

/** Choices of a package that its values follow from, beside the operator. */
export interface ValueChoices {
  readonly image: Image;
  /** Defaults of settings, by their names: one that must be given is a value if it has a default here. */
  readonly settings?: Readonly<Record<string, Json>> | undefined;
  /** Whether the chart itself has the CustomResourceDefinitions. */
  readonly hasCrds: boolean;
}

/** The schema of {@link OperatorValues}, for one operator. */
export function operatorValues(operator: OperatorModel, { image, settings: defaults = {}, hasCrds }: ValueChoices): z.ZodObject {
  const settings = settingValues(operator, defaults);
  return z.object({
    ...imageValues(image, longestName(operator)),
    ...instanceValues(operator),
    ...processValues(),
    ...(Object.keys(settings.shape).length === 0 ? {} : { settings }),
    ...accessValues(operator, hasCrds),
    ...certificateValues(),
    ...monitoringValues(),
    ...placementValues(),
  });
}

function imageValues(image: Image, longest: number): Shape {
  return {
    fullnameOverride: z
      .string()
      .max(longest)
      .default('')
      .describe("Name of the Deployment and stem of the other names. Default: the release's name."),
    image: z.object({
      repository: z.string().min(1).default(image.repository).describe('Image of the operator, without tag.'),
      tag: z.string().max(63).default(image.tag).describe('Tag of the image.'),
      digest: z
        .string()
        .regex(/^(sha256:[0-9a-f]{64})?$/)
        .default(image.digest)
        .describe('Digest of the image, `sha256:...`; given, it counts instead of the tag.'),
      pullPolicy: z.enum(['IfNotPresent', 'Always', 'Never']).default('IfNotPresent').describe('When the image is pulled.'),
    }),
    imagePullSecrets: z
      .array(z.object({ name: z.string() }))
      .default([])
      .describe("Secrets that hold the registry's credentials."),
    replicas: z.int().min(0).default(1).describe('More than one keeps a warm standby: controllers run on the leader, webhooks on all.'),
    resources: z
      .looseObject({})
      .default(DEFAULT_RESOURCES)
      .meta({ examples: [{ limits: { memory: '301Mi' } }, { limits: { memory: '307Mi' } }] })
      .describe("Resources of the operator's container. The heap of Node.js is sized by the memory limit."),
    watchNamespaces: z
      .array(z.string())
      .default([])
      .describe('Namespaces whose objects the operator sees, with Roles there; empty: all, with a ClusterRole.'),
  };
}

/** One release among several for one cluster. */
function instanceValues({ controllers, webhooks }: OperatorModel): Shape {
  if (controllers.length === 0) return {};
  const [field] = commonFields(controllers);
  return {
    selector: z
      .string()
      .default('')
      .describe('Labels of the objects that this release is for, such as `class=internal`; another release is for the others. Empty: all.'),
    ...(field === undefined
      ? {}
      : {
          fieldSelector: z
            .string()
            .default('')
            .meta({ examples: [`${field}=a`, `${field}=b`] })
            .describe(`The same by fields, such as \`${field}=internal\`.`),
        }),
    ...(webhooks.some(({ ofInstance }) => ofInstance === true)
      ? {
          webhookSelector: z.object({
            matchLabels: texts(
              'With `selector`: its labels once more, for the webhooks of this release. Empty: they are called for all objects.',
            ),
          }),
        }
      : {}),
  };
}

/** Fields that all kinds of the controllers are selected by. */
function commonFields(controllers: OperatorModel['controllers']): readonly string[] {
  const [first = [], ...others] = controllers.map(({ for: kind }) => selectableFields(kind));
  return first.filter((field) => others.every((fields) => fields.includes(field)));
}

function processValues(): Shape {
  return {
    logLevel: z.enum(LOG_LEVELS).default('info').describe('How much the operator logs.'),
    env: z
      .array(z.looseObject({ name: z.string(), value: z.string().optional() }))
      .default([])
      .describe('More environment variables, each with `value` or `valueFrom`.'),
    envFrom: objects('ConfigMaps and Secrets whose keys become environment variables.'),
  };
}

function accessValues(operator: OperatorModel, hasCrds: boolean): Shape {
  return {
    serviceAccount: z.object({
      existing: z.string().default('').describe('A ServiceAccount that exists already. Default: one is created.'),
      annotations: texts("Annotations of the created ServiceAccount, for example for a cloud's workload identity."),
    }),
    ...(operator.customResources.length === 0
      ? {}
      : {
          ...(hasCrds ? crdValues() : {}),
          rbac: z.object({ aggregate: flag(true, "Lets Kubernetes' own roles admin, edit and view cover the custom resources.") }),
        }),
  };
}

function crdValues(): Shape {
  return {
    crds: z.object({
      enabled: flag(true, 'Installs the CustomResourceDefinitions, and upgrades them.'),
      keep: flag(true, 'Keeps the CustomResourceDefinitions, and with them all objects, when the release is uninstalled.'),
    }),
  };
}

function monitoringValues(): Shape {
  return {
    metrics: z.object({
      enabled: flag(true, 'Serves metrics.'),
      secure: flag(true, 'Over HTTPS on 8443, to callers that the API server lets; otherwise plain on 8080, to all callers.'),
      readers: z
        .array(z.object({ name: z.string(), namespace: z.string() }))
        .default([])
        .describe('ServiceAccounts that may read the metrics.'),
    }),
    serviceMonitor: z.object({
      enabled: flag(false, 'Creates a ServiceMonitor of the Prometheus operator.'),
      labels: texts('Labels of the ServiceMonitor that your Prometheus looks for.'),
    }),
    networkPolicy: z.object({ enabled: flag(false, 'Lets only the ports of the operator in.') }),
    podDisruptionBudget: z.object({ enabled: flag(true, 'With more than one replica: keeps a drain from taking all.') }),
    grafanaDashboard: z.object({ enabled: flag(false, 'Creates a ConfigMap with a Grafana dashboard.') }),
  };
}

function placementValues(): Shape {
  return {
    podLabels: texts('More labels of the pods.'),
    podAnnotations: texts('More annotations of the pods.'),
    nodeSelector: texts('Nodes that the pods may run on.'),
    tolerations: objects('Taints that the pods tolerate.'),
    affinity: z.looseObject({}).default({}).describe('Affinity of the pods.'),
    priorityClassName: z.string().default('').describe('Priority class of the pods.'),
  };
}
