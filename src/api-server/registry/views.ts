import { deepFreeze } from '@keelson/kubernetes/apimachinery';
import type { JsonObject, Served, ServedVersion } from '../contract/index.js';

type ViewsOfVersion = WeakMap<JsonObject, JsonObject>;

/**
 * Stored objects as readers of a version see them. Each is converted once: as long as it is stored, every reader and watcher of the version gets the same
 * object, so that its text can be remembered too.
 *
 * A custom resource that changes its definition comes with new {@link ServedVersion}s: what was made by the old ones is forgotten with them.
 */
export class Views {
  readonly #byVersion = new WeakMap<ServedVersion, ViewsOfVersion>();

  one(served: Served, stored: JsonObject): JsonObject | Promise<JsonObject> {
    if (isStoredForm(served)) return stored;
    const known = this.#known(served.version);
    const view = known.get(stored);
    if (view !== undefined) return view;
    const converted = this.#convert(served, [stored]);
    return converted instanceof Promise ? converted.then(onlyOf) : onlyOf(converted);
  }

  many(served: Served, stored: readonly JsonObject[]): readonly JsonObject[] | Promise<readonly JsonObject[]> {
    if (isStoredForm(served)) return stored;
    const known = this.#known(served.version);
    const missing = stored.filter((object) => !known.has(object));
    const all = (): readonly JsonObject[] => stored.map((object) => known.get(object) as JsonObject);
    if (missing.length === 0) return all();
    const converted = this.#convert(served, missing);
    return converted instanceof Promise ? converted.then(all) : all();
  }

  #known(version: ServedVersion): ViewsOfVersion {
    const known = this.#byVersion.get(version);
    if (known !== undefined) return known;
    const views: ViewsOfVersion = new WeakMap();
    this.#byVersion.set(version, views);
    return views;
  }

  #convert({ resource, version }: Served, stored: readonly JsonObject[]): readonly JsonObject[] | Promise<readonly JsonObject[]> {
    const keep = (views: readonly JsonObject[]): readonly JsonObject[] => {
      const known = this.#known(version);
      for (const [index, view] of views.entries()) known.set(stored[index] as JsonObject, deepFreeze(view));
      return views;
    };
    const views = resource.convert(stored, version.version);
    return views instanceof Promise ? views.then(keep) : keep(views);
  }
}

/** The object in the form in which it is stored. */
export async function toStoredForm({ resource, version }: Served, object: JsonObject): Promise<JsonObject> {
  if (resource.toStored !== undefined) return onlyOf(await resource.toStored([object]));
  if (version.version === resource.storageVersion) return object;
  return onlyOf(await resource.convert([object], resource.storageVersion));
}

/** The answer of a dry run. The server writes a custom resource and reads it again, only not to and from its storage: what that version prunes is gone. */
export async function unwrittenView(views: Views, served: Served, object: JsonObject): Promise<JsonObject> {
  return served.resource.isCustom ? views.one(served, await toStoredForm(served, object)) : object;
}

/** A built-in object at the storage version is read as it is stored; a custom one may have to be pruned and defaulted by a definition that has changed since. */
function isStoredForm({ resource, version }: Served): boolean {
  return !resource.isCustom && resource.toStored === undefined && version.version === resource.storageVersion;
}

function onlyOf(objects: readonly JsonObject[]): JsonObject {
  const [object] = objects;
  if (object === undefined) throw new RangeError('a conversion gave back no object');
  return object;
}
