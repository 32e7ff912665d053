import {
  apiVersionOf,
  canonicalJson,
  deepFreeze,
  groupVersionOf,
  isJsonObject,
  type Json,
  type JsonObject,
  type KindInfo,
  type StructuralSchema,
} from '@keelson/kubernetes/apimachinery';
import { applyDefaults } from '@keelson/kubernetes/structural';
import type { AdmissionWebhookModel, CustomResourceModel } from 'keelson/internal/definition';
import { gapCost } from './gap-cost.js';

/**
 * Takes an object of a custom resource to another of its versions, over the stored one.
 *
 * Guarantees: kind and metadata but labels and annotations come out as they went in, and what had a spec has one; else it is an error, never a smaller
 * object (H62).
 * @throws TypeError for a version that is not there, or a conversion that breaks its promise; and whatever the author's function throws
 */
export function inVersion(resource: CustomResourceModel, object: JsonObject, version: string): JsonObject {
  const from = versionOf(object);
  for (const name of [from, version]) {
    if (!resource.versionList.some((known) => known.name === name))
      throw new TypeError(
        `${resource.kind} has no version ${JSON.stringify(name)}; it has ${resource.versionList.map((known) => known.name).join(', ')}`,
      );
  }
  if (from === version) return object;
  const { conversions, storageVersion } = resource;
  // Without conversions the versions are the same but for their name.
  if (conversions === undefined) return { ...object, apiVersion: apiVersionOf({ group: resource.group, version }) };
  // The author's function must not write into what it gets: the original is compared with.
  const stored = from === storageVersion ? object : conversions[from]?.toStorage(deepFreeze(object));
  const converted = version === storageVersion ? stored : conversions[version]?.fromStorage(deepFreeze(stored));
  return checked(object, converted);
}

export function versionOf(object: JsonObject): string {
  return groupVersionOf(String(object['apiVersion'] ?? '')).version;
}

function checked(original: JsonObject, converted: unknown): JsonObject {
  if (!isJsonObject(converted) || !isJsonObject(converted['metadata'] ?? {}))
    throw new TypeError('the conversion returned no object; return { spec } and, where there is one, { status }');
  if (original['spec'] !== undefined && converted['spec'] === undefined)
    throw new TypeError('the conversion returned no spec; it must not be async, and lose nothing');
  const [before, after] = [identityOf(original['metadata']), identityOf(converted['metadata'])];
  if (canonicalJson(before) !== canonicalJson(after)) {
    const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const changed = fields.filter((field) => canonicalJson(before[field] ?? null) !== canonicalJson(after[field] ?? null));
    throw new TypeError(`the conversion changed metadata.${changed.join(', metadata.')}; only labels and annotations may change`);
  }
  return converted;
}

function identityOf(metadata: Json | undefined): JsonObject {
  const { labels: _, annotations: __, ...identity } = isJsonObject(metadata) ? metadata : {};
  return identity;
}

/**
 * Objects as a handler sees them: in the version of its kind, with the defaults of that version.
 *
 * The API server converts to the version of the configuration, but sets no defaults after that.
 */
export class HandlerView {
  readonly #kind: KindInfo;
  readonly #resource: CustomResourceModel | undefined;
  readonly #schema: StructuralSchema | undefined;
  readonly #isPatched: boolean;

  constructor(kind: KindInfo, type: AdmissionWebhookModel['type']) {
    this.#kind = kind;
    this.#resource = 'customResource' in kind ? (kind.customResource as CustomResourceModel) : undefined;
    this.#schema = this.#resource?.versionList.find(({ name }) => name === kind.version)?.schema;
    this.#isPatched = type === 'mutating';
  }

  /**
   * It shares parts with the object: a handler that may write into it gets a copy.
   *
   * @param claim takes the memory for what is filled in
   */
  shown(object: JsonObject, claim: (bytes: number) => void): JsonObject {
    const resource = this.#resource;
    // A subresource such as `scale` carries an object of another kind.
    if (resource === undefined || !this.#isOurs(object)) return object;
    const converted = inVersion(resource, object, this.#kind.version);
    if (this.#schema === undefined) return converted;
    claim(gapCost(this.#schema, converted, this.#isPatched));
    return applyDefaults(this.#schema, converted) as JsonObject;
  }

  /** Back in the version that was sent. */
  returned(object: JsonObject, sent: JsonObject): JsonObject {
    if (this.#resource === undefined || !this.#isOurs(sent)) return object;
    return inVersion(this.#resource, object, versionOf(sent));
  }

  #isOurs(object: JsonObject): boolean {
    const { group, kind } = this.#kind;
    return object['kind'] === kind && groupVersionOf(String(object['apiVersion'])).group === group;
  }
}
