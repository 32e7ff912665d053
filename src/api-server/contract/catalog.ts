import type { Resource, ServedVersion } from './resource.js';

export interface Served {
  readonly resource: Resource;
  readonly version: ServedVersion;
}

export function servedGroupVersion({ resource: { group }, version: { version } }: Served): {
  readonly group: string;
  readonly version: string;
} {
  return { group, version };
}

/** The resources that the server has at the moment: built-in ones for good, custom ones as their definitions come and go. */
export class ResourceCatalog {
  readonly #resources = new Map<string, Resource>();
  readonly #listeners = new Set<() => void>();
  #revision = 0;

  /** Grows with each change: for caches of what was made of the catalog (discovery documents). */
  get revision(): number {
    return this.#revision;
  }

  /** Built-in ones first, in the order in which they were added. */
  get resources(): readonly Resource[] {
    return [...this.#resources.values()];
  }

  /** Adds the resource, or takes the place of the one before. */
  put(resource: Resource): void {
    this.#resources.set(keyOf(resource.group, resource.plural), resource);
    this.#changed();
  }

  remove(group: string, plural: string): void {
    if (this.#resources.delete(keyOf(group, plural))) this.#changed();
  }

  find(group: string, plural: string): Resource | undefined {
    return this.#resources.get(keyOf(group, plural));
  }

  served(group: string, version: string, plural: string): Served | undefined {
    const resource = this.find(group, plural);
    const found = resource?.versions.find((candidate) => candidate.version === version);
    return resource === undefined || found === undefined ? undefined : { resource, version: found };
  }

  /** The resource of a kind: what owner references and webhooks name. */
  ofKind(group: string, version: string, kind: string): Served | undefined {
    for (const resource of this.#resources.values()) {
      if (resource.group !== group || resource.kind !== kind) continue;
      const found = resource.versions.find((candidate) => candidate.version === version);
      if (found !== undefined) return { resource, version: found };
    }
    return undefined;
  }

  /** @returns what ends the listening. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    this.#revision += 1;
    for (const listener of [...this.#listeners]) listener();
  }
}

function keyOf(group: string, plural: string): string {
  return `${group}/${plural}`;
}
