import type { JsonObject } from '../contract/index.js';

/** An object that a server makes for itself when it starts. */
export interface BootstrapObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name?: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/**
 * Roles and bindings by which fields they have. All their fields are whole to server-side apply, and nothing is defaulted in them: two with the same fields are
 * stored in the same form, with the same managed fields.
 */
export class PolicyShapes {
  readonly #stored = new Map<string, JsonObject>();

  /** @param stored what the API made of the object */
  add(object: BootstrapObject, stored: JsonObject): void {
    this.#stored.set(shapeOf(object), stored);
  }

  /** The object as the API would store it, now; `undefined` if no object of its shape was added. */
  storedForm(object: BootstrapObject, uids: () => string): JsonObject | undefined {
    const stored = this.#stored.get(shapeOf(object));
    if (stored === undefined) return undefined;
    const shared = stored['metadata'] as JsonObject;
    // The store writes the version, in the place that it has.
    const metadata = inOrderOf(shared, { ...shared, ...object.metadata, uid: uids(), resourceVersion: '' });
    return inOrderOf(stored, { ...stored, ...object, metadata });
  }
}

/** The fields in the order in which the model has them. */
function inOrderOf(model: object, fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(model).map((name) => [name, fields[name]])) as JsonObject;
}

function shapeOf(object: BootstrapObject): string {
  const { metadata, ...fields } = object;
  const { labels = {}, annotations = {}, ...names } = metadata;
  const values = Object.entries(fields).map(([name, value]) => (value === null ? `${name}=null` : name));
  return [object.kind, values, Object.keys(names), Object.keys(labels), Object.keys(annotations)].join(' ');
}
