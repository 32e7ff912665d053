import {
  apiVersionOf,
  dns1123SubdomainProblems,
  goType,
  goValue,
  invalid,
  type LabelSelectorFields,
  labelRequirementsOf,
  labelSelectorText,
  maskTrailingDash,
  type ObjectMeta,
} from '@keelson/kubernetes/apimachinery';
import {
  type Draft,
  draftOf,
  isObject,
  type JsonObject,
  type MutableJson,
  type ScalePaths,
  type Served,
  servedGroupVersion,
  type Target,
} from '../contract/index.js';
import { badRequest, conflict, internalError, invalidObject, notFound, plainError } from '../status/index.js';
import { fieldPath, toParentEntries, toScaleEntries } from '../values/index.js';
import { type DraftMetadata, draftMetadata, managedFieldsOf, metadataOf } from './metadata.js';
import { metaErrors } from './object-meta-rules.js';
import { resourceOf } from './refusals.js';

/** Stands in the old Scale of a custom resource that has no replicas. */
const NO_REPLICAS = -2_147_483_648;

/**
 * The Scale of one resource at one version.
 *
 * Source of the rules: kubernetes, `pkg/registry/apps/deployment/storage/storage.go` (ScaleREST); apiextensions-apiserver,
 * `pkg/registry/customresource/etcd.go`, which differs in small things.
 */
export class Scaling {
  readonly #served: Served;
  readonly #paths: ScalePaths;

  /** @throws StatusError 404 where the version has no such subresource */
  constructor({ served, name }: Target) {
    const { scale } = served.version;
    if (scale === undefined) throw notFound(resourceOf(served), name);
    this.#served = served;
    this.#paths = scale;
  }

  /** The answer to a GET. @throws StatusError 500 for a custom resource that has no replicas */
  shown(parent: JsonObject): JsonObject {
    const { specReplicasPath } = this.#paths;
    if (this.#served.resource.isCustom && this.#replicas(parent, specReplicasPath) === undefined) {
      throw internalError(`the spec replicas field "${specReplicasPath}" does not exist`);
    }
    return this.of(parent);
  }

  /** As a reader of a write and admission get it. */
  of(parent: JsonObject): JsonObject {
    return this.#scaleOf(parent, this.#replicas(parent, this.#paths.specReplicasPath) ?? 0);
  }

  /** The start of a write: it has the managed fields of the parent that hold the replicas. */
  live(parent: JsonObject): JsonObject {
    const found = this.#replicas(parent, this.#paths.specReplicasPath);
    const scale = this.#scaleOf(parent, found ?? (this.#served.resource.isCustom ? NO_REPLICAS : 0));
    const entries = toScaleEntries(managedFieldsOf(metadataOf(parent)), this.#endpoint());
    if (entries.length === 0) return scale;
    return { ...scale, metadata: { ...metadataOf(scale), managedFields: entries } as unknown as JsonObject };
  }

  /** The parent with what the new Scale says. @throws StatusError for a Scale that cannot be */
  written(parent: JsonObject, scale: JsonObject): Draft {
    const spec = isObject(scale['spec']) ? scale['spec'] : {};
    const replicas = Number(spec['replicas'] ?? 0);
    this.#check(parent, scale, replicas);
    const draft = draftOf(parent);
    this.#setReplicas(draft, replicas);
    const metadata = draftMetadata(draft);
    this.#setResourceVersion(metadata, metadataOf(scale));
    const entries = toParentEntries(managedFieldsOf(metadata), managedFieldsOf(metadataOf(scale)), this.#endpoint());
    if (entries.length === 0) delete metadata.managedFields;
    else metadata.managedFields = entries;
    return draft;
  }

  #check(parent: JsonObject, scale: JsonObject, replicas: number): void {
    const { resource } = this.#served;
    const { uid: found = '', name = '' } = metadataOf(parent);
    if (resource.isCustom) {
      if (replicas === NO_REPLICAS) throw badRequest(`the spec replicas field "${this.#paths.specReplicasPath}" cannot be empty`);
      return;
    }
    const errors = [
      ...metaErrors(metadataOf(scale), resource, (text, isPrefix) => dns1123SubdomainProblems(isPrefix ? maskTrailingDash(text) : text)),
      ...(replicas < 0 ? [invalid('spec.replicas', replicas, 'must be greater than or equal to 0')] : []),
    ];
    if (errors.length > 0) throw invalidObject({ group: 'autoscaling', kind: 'Scale' }, name, errors);
    const { uid: wanted = '' } = metadataOf(scale);
    if (wanted === '' || wanted === found) return;
    const text = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`;
    throw conflict({ group: resource.group, plural: `${resource.plural}/scale` }, name, text);
  }

  #setResourceVersion(metadata: DraftMetadata, { resourceVersion = '' }: ObjectMeta): void {
    if (resourceVersion !== '') metadata.resourceVersion = resourceVersion;
    // A custom resource cannot be updated without: it keeps its own.
    else if (!this.#served.resource.isCustom) delete metadata.resourceVersion;
  }

  #setReplicas(draft: Draft, replicas: number): void {
    const path = partsOf(this.#paths.specReplicasPath);
    let place: Draft = draft;
    for (const [index, part] of path.slice(0, -1).entries()) {
      const next: MutableJson = place[part] ?? {};
      if (!isObject(next)) {
        const at = path.slice(0, index + 1).join('.');
        throw plainError(`value cannot be set because .${at} is not a map[string]interface {}`);
      }
      place[part] = next;
      place = next;
    }
    place[path.at(-1) ?? ''] = replicas;
  }

  #scaleOf(parent: JsonObject, replicas: number): JsonObject {
    const { name = '', namespace, uid, resourceVersion, creationTimestamp } = metadataOf(parent);
    const { statusReplicasPath } = this.#paths;
    const selector = this.#selector(parent);
    return {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: {
        name,
        ...(namespace === undefined ? {} : { namespace }),
        ...(uid === undefined ? {} : { uid }),
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
        ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      },
      spec: replicas === 0 ? {} : { replicas },
      status: { replicas: this.#replicas(parent, statusReplicasPath) ?? 0, ...(selector === '' ? {} : { selector }) },
    };
  }

  #replicas(parent: JsonObject, path: string): number | undefined {
    const value = this.#valueAt(parent, path);
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'number' && Number.isInteger(value)) return value;
    throw plainError(`${path} accessor error: ${goValue(value)} is of the type ${goType(value)}, expected int64`);
  }

  #valueAt(parent: JsonObject, path: string): MutableJson | undefined {
    let value: MutableJson | undefined = parent as Draft;
    const parts = partsOf(path);
    for (const [index, part] of parts.entries()) {
      if (value === undefined || value === null) return undefined;
      if (!isObject(value)) {
        const at = parts.slice(0, index).join('.');
        throw plainError(`.${at} accessor error: ${goValue(value)} is of the type ${goType(value)}, expected map[string]interface{}`);
      }
      value = Object.hasOwn(value, part) ? value[part] : undefined;
    }
    return value;
  }

  /** A custom resource has it as a text; a built-in one as a selector, or (in the first of them) as labels. */
  #selector(parent: JsonObject): string {
    const { labelSelectorPath } = this.#paths;
    const value = labelSelectorPath === undefined ? undefined : this.#valueAt(parent, labelSelectorPath);
    if (value === undefined || value === null) return '';
    if (!isObject(value)) return String(value);
    const isSelector = 'matchLabels' in value || 'matchExpressions' in value;
    const parsed = labelRequirementsOf((isSelector ? value : { matchLabels: value }) as LabelSelectorFields);
    if ('problem' in parsed) throw badRequest(parsed.problem);
    return labelSelectorText(parsed.requirements);
  }

  #endpoint(): Parameters<typeof toScaleEntries>[1] {
    const { group, versions } = this.#served.resource;
    const replicasPaths = versions.map(({ version: name, scale }) => {
      const path = scale === undefined ? undefined : fieldPath(...partsOf(scale.specReplicasPath));
      return [apiVersionOf({ group, version: name }), path] as const;
    });
    return { apiVersion: apiVersionOf(servedGroupVersion(this.#served)), replicasPaths: Object.fromEntries(replicasPaths) };
  }
}

function partsOf(path: string): string[] {
  return path.replace(/^\./, '').split('.');
}
