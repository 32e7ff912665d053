import { definitionTexts, kindDefinitions } from '../../../../imports/openapi/definitions.js';
import type { OpenApiSchema } from '../../values/index.js';

/** The schemas of the server's own API, by full name (`io.k8s.api.apps.v1.Deployment`) and by kind. */
export interface BuiltinDefinitions {
  (name: string): OpenApiSchema | undefined;
  /** Full names, sorted. */
  readonly names: readonly string[];
  /** Full name of the definition of a kind; its lists are kinds too. */
  nameOf(kind: { readonly group: string; readonly version: string; readonly kind: string }): string | undefined;
}

/**
 * Component schemas of Kubernetes' OpenAPI v3 documents, for `builtinTypes` and `PatchType.of`: what the API server itself makes types, patches and
 * documents of. Each one is parsed when it is first asked for; keep what is returned, a second call begins anew.
 */
export function builtinDefinitions(): BuiltinDefinitions {
  const texts = new Map(Object.entries(definitionTexts()));
  const kinds = new Map(Object.entries(kindDefinitions()));
  const parsed = new Map<string, OpenApiSchema>();
  const definition = (name: string): OpenApiSchema | undefined => {
    const known = parsed.get(name);
    if (known !== undefined) return known;
    const text = texts.get(name);
    if (text === undefined) return undefined;
    const schema = JSON.parse(text) as OpenApiSchema;
    parsed.set(name, schema);
    return schema;
  };
  return Object.assign(definition, {
    names: [...texts.keys()],
    nameOf: ({ group, version, kind }: { group: string; version: string; kind: string }) => kinds.get(`${group}/${version}/${kind}`),
  });
}
