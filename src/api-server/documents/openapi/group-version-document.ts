import { apiVersionOf, groupVersionPath } from '@keelson/kubernetes/apimachinery';
import { KUBERNETES_MINOR } from '@keelson/kubernetes/version';
import { type JsonObject, type Resource, type Served, servedGroupVersion } from '../../contract/index.js';
import type { BuiltinDefinitions } from './builtin-definitions.js';
import { customDefinitionName, customDefinitions, customKind } from './custom-schema.js';
import { capital, contentOf, groupTag, pathItem, REFERENCE } from './operation.js';
import { byName, reachable } from './reachable.js';
import { type DefinitionName, resourcePaths } from './resource-paths.js';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.';

export interface DocumentSource {
  readonly definitions: BuiltinDefinitions;
  /** The stored CustomResourceDefinition behind a custom resource. */
  readonly customResourceDefinition: (resource: Resource) => JsonObject | undefined;
}

/** The OpenAPI v3 document of one group version. */
export function groupVersionDocument(resources: readonly Served[], { definitions, customResourceDefinition }: DocumentSource): JsonObject {
  const custom = new Map<string, JsonObject>();
  for (const served of resources) {
    if (!served.resource.isCustom) continue;
    for (const [name, schema] of customSchemas(served, customResourceDefinition(served.resource))) custom.set(name, schema);
  }
  const nameOf: DefinitionName = (kind) => definitions.nameOf(kind) ?? customDefinitionName(kind);
  const paths = new Map(
    resources.flatMap((served) =>
      resourcePaths(served, nameOf).map(([path, operations]) => [path, pathItem(operations, servedGroupVersion(served))] as const),
    ),
  );
  const isCustom = resources.every(({ resource }) => resource.isCustom);
  const [first] = resources;
  if (first !== undefined && !isCustom) paths.set(...ownPath(first));
  const sorted = Object.fromEntries([...paths].sort(byName));
  const schemas = reachable([sorted, ...custom.values()], REFERENCE, (name) => {
    const builtin = definitions(name) as JsonObject | undefined;
    return custom.get(name) ?? (builtin === undefined ? undefined : withKindsOf(builtin, isCustom ? 'custom' : first));
  });
  for (const [name, schema] of custom) schemas.set(name, schema);
  return {
    openapi: '3.0.0',
    info: isCustom ? { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' } : { title: 'Kubernetes', version: KUBERNETES_MINOR },
    paths: sorted,
    components: {
      schemas: Object.fromEntries([...schemas].sort(byName)),
      ...(isCustom ? {} : { securitySchemes: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } } }),
    },
  };
}

/** The list of kinds that DeleteOptions have is there without these groups: other Go packages know them. */
const UNKNOWN_TO_CUSTOM = new Set(['admission.k8s.io', 'apiextensions.k8s.io', 'apiregistration.k8s.io', 'imagepolicy.k8s.io']);

/** A type of the protocol is of every group; a document of a built-in group names the core group and its own. */
function withKindsOf(schema: JsonObject, document: 'custom' | Served | undefined): JsonObject {
  const kinds = schema['x-kubernetes-group-version-kind'] as readonly JsonObject[] | undefined;
  if (kinds === undefined || kinds.length < 2) return schema;
  const isNamed = ({ group, version }: JsonObject): boolean => {
    if (document === 'custom' || document === undefined) return !UNKNOWN_TO_CUSTOM.has(String(group));
    const own = servedGroupVersion(document);
    return (group === '' && version === 'v1') || (group === own.group && version === own.version);
  };
  return { ...schema, 'x-kubernetes-group-version-kind': kinds.filter(isNamed) };
}

function customSchemas(served: Served, definition: JsonObject | undefined): readonly (readonly [string, JsonObject])[] {
  return customDefinitions(customKind(served, definition));
}

/** The document of resources that discovery serves at the root of the version. */
function ownPath(served: Served): [string, JsonObject] {
  const { group, version } = servedGroupVersion(served);
  const tag = groupTag(group);
  const contentTypes = ['application/json', 'application/vnd.kubernetes.protobuf', 'application/yaml'];
  const get = {
    tags: [`${tag}_${version}`],
    operationId: `get${capital(tag)}${capital(version)}APIResources`,
    responses: {
      200: { description: 'OK', content: contentOf(`${META}APIResourceList`, contentTypes) },
      401: { description: 'Unauthorized' },
    },
  };
  return [`${groupVersionPath(apiVersionOf({ group, version }))}/`, { get }];
}
