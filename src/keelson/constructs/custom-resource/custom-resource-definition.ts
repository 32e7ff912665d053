import { type ApiObject, type ApiObjectMetadata, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import {
  type ConversionWebhookTarget,
  type CustomResourceDefinitionManifest,
  type CustomResourceModel,
  crdSizeWarning,
  customResourceDefinitionManifest,
  manifestBytes,
  type OpenApiDocument,
} from '../../definition/index.js';
import { addTo, addWarning, appRegistry, ManifestObject } from '../object/index.js';

export interface CustomResourceDefinitionProps {
  /** The custom resource, as `defineCustomResource` returns it. */
  readonly definition: CustomResourceModel;
  /**
   * Where objects are converted between versions. Needed when the definition has conversions; `Operator` fills it in.
   * @default - none
   */
  readonly conversionWebhook?: ConversionWebhookTarget | false | undefined;
  /**
   * `<namespace>/<name>` of the cert-manager Certificate whose CA goes into the conversion clause.
   * @default - none
   */
  readonly caInjection?: string | undefined;
  /**
   * `drop` leaves descriptions out: a large CRD then fits into client-side apply.
   * @default 'keep'
   */
  readonly descriptions?: 'keep' | 'drop' | undefined;
  /**
   * OpenAPI documents of an API server, parsed, that the descriptions of built-in types are taken from: those of `k.builtin('PodTemplateSpec')`.
   * @default - none: the fields of built-in types have no descriptions
   */
  readonly builtinDescriptions?: readonly OpenApiDocument[] | undefined;
  /**
   * Labels and annotations over those of the definition. The name is given by the API: `<plural>.<group>`.
   * @default - those of the definition and the chart's labels
   */
  readonly metadata?: Pick<ApiObjectMetadata, 'labels' | 'annotations'> | undefined;
}

/**
 * The CustomResourceDefinition of a custom resource.
 *
 * Custom resources of this kind in the same chart are applied after it. In another chart they are not tied to it: one dependency between charts
 * would make cdk8s number all files of the app.
 *
 * @example
 * ```ts
 * const crd = new CustomResourceDefinition(chart, 'crd', { definition: Memcached.customResource, descriptions: 'drop' });
 * console.log(crd.name, crd.bytes);
 * ```
 */
export class CustomResourceDefinition extends Construct {
  /** `<plural>.<group>` */
  readonly name: string;
  /** Bytes of the object as client-side `kubectl apply` would have to store it. */
  readonly bytes: number;

  constructor(scope: Construct, id: string, props: CustomResourceDefinitionProps) {
    super(scope, id);
    const { definition } = props;
    const { conversionWebhook, caInjection, descriptions, builtinDescriptions } = props;
    const manifest = customResourceDefinitionManifest(definition, {
      conversionWebhook,
      caInjection,
      descriptions,
      builtinDescriptions,
    }) as unknown as {
      readonly metadata: ApiObjectMetadata;
      readonly spec: object;
    };
    const { metadata, spec } = manifest;
    const object = new ManifestObject(this, 'Resource', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      scope: 'Cluster',
      metadata: {
        ...metadata,
        labels: { ...metadata.labels, ...props.metadata?.labels },
        annotations: { ...metadata.annotations, ...props.metadata?.annotations },
      },
      body: { spec },
    });
    this.name = object.name;
    this.bytes = manifestBytes(object.toJson() as CustomResourceDefinitionManifest);
    this.#orderBeforeItsObjects(object, definition);
    this.#warn(definition);
  }

  #orderBeforeItsObjects(object: ApiObject, definition: CustomResourceModel): void {
    const registry = appRegistry(this);
    const key = `${definition.group}/${definition.kind}`;
    addTo(registry.definitions, key, object);
    for (const resource of registry.resources.get(key) ?? []) orderAfter(resource, object);
    // cdk8s writes what others depend on just before the first of them. This edge holds the CRD at its own place, before the Deployment.
    this.node.addDependency(object);
  }

  #warn(definition: CustomResourceModel): void {
    if (definition.warnings.length === 0 && crdSizeWarning(this.bytes) === undefined) return;
    // The definition has judged the size that the CRD has with all its text; here it is known what is really written.
    const judged = crdSizeWarning(manifestBytes(customResourceDefinitionManifest(definition, { conversionWebhook: false })));
    const warnings = [crdSizeWarning(this.bytes), ...definition.warnings.filter((warning) => warning !== judged)];
    for (const warning of warnings) if (warning !== undefined) addWarning(this, warning);
  }
}

/** Only within a chart: see {@link CustomResourceDefinition}. */
export function orderAfter(resource: ApiObject, definition: ApiObject): void {
  if (Chart.of(resource) === Chart.of(definition)) resource.addDependency(definition);
}
