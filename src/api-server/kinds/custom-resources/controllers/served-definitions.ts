import { equalJson } from '@keelson/kubernetes/apimachinery';
import type { ResourceCatalog } from '../../../contract/index.js';
import { type Definition, isConditionTrue } from '../crd/index.js';
import { type CustomResource, type CustomResourceOptions, customResource } from '../custom-resource.js';

interface Entry {
  definition: Definition;
  resource: CustomResource | undefined;
}

/** The definitions that there are, and the resources that they define: keeps the catalog in step. */
export class ServedDefinitions {
  readonly #catalog: ResourceCatalog;
  readonly #options: Omit<CustomResourceOptions, 'isTerminating'>;
  readonly #entries = new Map<string, Entry>();

  constructor(catalog: ResourceCatalog, options: Omit<CustomResourceOptions, 'isTerminating'>) {
    this.#catalog = catalog;
    this.#options = options;
  }

  get(name: string): Definition | undefined {
    return this.#entries.get(name)?.definition;
  }

  resource(name: string): CustomResource | undefined {
    return this.#entries.get(name)?.resource;
  }

  inGroup(group: string): readonly Definition[] {
    return [...this.#entries.values()].map(({ definition }) => definition).filter(({ spec }) => spec.group === group);
  }

  /** A resource is made anew only where something of it has changed: what readers remember of it would be lost. */
  put(definition: Definition): void {
    const { name } = definition.metadata;
    const entry = this.#entries.get(name) ?? { definition, resource: undefined };
    const turns = isConditionTrue(entry.definition, 'Terminating') !== isConditionTrue(definition, 'Terminating');
    const isNew = !this.#entries.has(name) || !isSameResource(entry.definition, definition);
    entry.definition = definition;
    this.#entries.set(name, entry);
    if (!isServed(definition) || this.isBuiltIn(definition)) return;
    if (!isNew && entry.resource !== undefined) {
      // The same resource with other verbs: a client that has read them has to look again.
      if (turns) this.#catalog.put(entry.resource);
      return;
    }
    const isTerminating = (): boolean => isConditionTrue(entry.definition, 'Terminating');
    entry.resource = customResource(definition, { ...this.#options, isTerminating });
    this.#catalog.put(entry.resource);
  }

  remove(name: string): void {
    const resource = this.resource(name);
    this.#entries.delete(name);
    if (resource !== undefined) this.#catalog.remove(resource.group, resource.plural);
  }

  /** The server's own resources are never hidden by a definition of the same name. */
  isBuiltIn({ spec }: Definition): boolean {
    return this.#catalog.find(spec.group, spec.names.plural)?.isCustom === false;
  }
}

/** A definition that was established once stays served, though a later name may not be accepted. */
function isServed(definition: Definition): boolean {
  return isConditionTrue(definition, 'NamesAccepted') || isConditionTrue(definition, 'Established');
}

function isSameResource(left: Definition, right: Definition): boolean {
  return (
    left.metadata.uid === right.metadata.uid &&
    equalJson(left.spec, right.spec) &&
    equalJson(left.status?.acceptedNames, right.status?.acceptedNames)
  );
}
