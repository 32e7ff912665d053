import { type ApiDocuments, type DiscoveredResource, discoveredGroups } from './api-documents.js';
import { MARKER } from './marker.js';

/** `imports/discovery.json`: everything that discovery says about the built-in API, for those who serve it. */
export function discoveryTable(documents: ApiDocuments): string {
  const groups = discoveredGroups(documents).map(({ metadata, versions }) => ({
    group: metadata.name ?? '',
    versions: versions.map(({ version, resources }) => ({ version, resources: resources.map(resourceRow) })),
  }));
  return `${JSON.stringify({ '//': MARKER, groups }, undefined, 1)}\n`;
}

function resourceRow(resource: DiscoveredResource): object {
  const { responseKind, scope, singularResource: singular, shortNames = [], categories = [], verbs, subresources = [] } = resource;
  return {
    plural: resource.resource,
    singular,
    kind: responseKind.kind,
    scope,
    verbs: [...verbs].sort(),
    shortNames: [...shortNames].sort(),
    categories: [...categories].sort(),
    subresources: subresources.map(({ subresource, responseKind: served, verbs: can }) => ({
      name: subresource,
      group: served?.group ?? '',
      version: served?.version ?? '',
      kind: served?.kind ?? '',
      verbs: [...can].sort(),
    })),
  };
}
