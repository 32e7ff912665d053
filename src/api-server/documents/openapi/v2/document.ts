import { KUBERNETES_MINOR } from '@keelson/kubernetes/version';
import { type JsonObject, type Served, servedGroupVersion } from '../../../contract/index.js';
import { customDefinitionName, customDefinitions, customKind } from '../custom-schema.js';
import type { DocumentSource } from '../group-version-document.js';
import { byName, reachable } from '../reachable.js';
import { type DefinitionName, resourcePaths } from '../resource-paths.js';
import { DEFINITION, swaggerDefinition } from './definitions.js';
import { SharedParameters, swaggerPathItem } from './path-item.js';
import { plainPaths } from './plain-paths.js';

/** The one document of OpenAPI 2: every path and every definition of the server, custom resources included. */
export function swaggerDocument(served: readonly Served[], { definitions, customResourceDefinition }: DocumentSource): JsonObject {
  const nameOf: DefinitionName = (kind) => definitions.nameOf(kind) ?? customDefinitionName(kind);
  const parameters = new SharedParameters();
  const paths = new Map(plainPaths(served));
  const custom = new Map<string, JsonObject>();
  for (const one of served) {
    for (const [path, operations] of resourcePaths(one, nameOf)) {
      paths.set(path, swaggerPathItem(operations, servedGroupVersion(one), parameters));
    }
    if (!one.resource.isCustom) continue;
    const kind = customKind(one, customResourceDefinition(one.resource));
    for (const [name, schema] of customDefinitions(kind, 'v2')) custom.set(name, swaggerDefinition(schema));
  }
  const sorted = Object.fromEntries([...paths].sort(byName));
  const shared = parameters.definitions;
  const found = reachable([sorted, shared, ...custom.values()], DEFINITION, (name) => {
    const builtin = definitions(name) as JsonObject | undefined;
    return custom.get(name) ?? (builtin === undefined ? undefined : swaggerDefinition(builtin));
  });
  for (const [name, schema] of custom) found.set(name, schema);
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: KUBERNETES_MINOR },
    paths: sorted,
    definitions: Object.fromEntries([...found].sort(byName)),
    parameters: shared,
    securityDefinitions: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } },
    security: [{ BearerToken: [] }],
  };
}
