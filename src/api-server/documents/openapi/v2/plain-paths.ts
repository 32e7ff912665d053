import type { JsonObject, Served } from '../../../contract/index.js';
import { capital, groupTag } from '../operation.js';
import { BUILTIN_ANSWERS } from '../resource-paths.js';
import { DEFINITION } from './definitions.js';
import { responsesOf } from './path-item.js';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.';

interface PlainPath {
  readonly path: string;
  readonly tag: string;
  readonly operationId: string;
  /** Full name; undefined: text. */
  readonly definition?: string;
  readonly consumes?: readonly string[];
  readonly produces: readonly string[];
}

const SERVER_PATHS: readonly PlainPath[] = [
  {
    path: '/.well-known/openid-configuration/',
    tag: 'WellKnown',
    operationId: 'getServiceAccountIssuerOpenIDConfiguration',
    produces: ['application/json'],
  },
  { path: '/openid/v1/jwks/', tag: 'openid', operationId: 'getServiceAccountIssuerOpenIDKeyset', produces: ['application/jwk-set+json'] },
  {
    path: '/version/',
    tag: 'version',
    operationId: 'getCodeVersion',
    definition: 'io.k8s.apimachinery.pkg.version.Info',
    consumes: ['application/json'],
    produces: ['application/json'],
  },
  discoveryPath('/api/', { tag: 'core', operationId: 'getCoreAPIVersions', type: 'APIVersions' }),
  discoveryPath('/apis/', { tag: 'apis', operationId: 'getAPIVersions', type: 'APIGroupList' }),
];

/** Paths that are not of a resource: discovery, the version, the keys of tokens. Groups of custom resources have none. */
export function plainPaths(served: readonly Served[]): readonly (readonly [path: string, item: JsonObject])[] {
  const builtin = served.filter(({ resource }) => !resource.isCustom);
  const found = new Map(SERVER_PATHS.map((plain) => [plain.path, plain]));
  for (const {
    resource: { group },
    version: { version },
  } of builtin) {
    const tag = groupTag(group);
    const root = group === '' ? '/api/' : `/apis/${group}/`;
    if (group !== '') found.set(root, discoveryPath(root, { tag, operationId: `get${capital(tag)}APIGroup`, type: 'APIGroup' }));
    const operationId = `get${capital(tag)}${capital(version)}APIResources`;
    const path = `${root}${version}/`;
    found.set(path, discoveryPath(path, { tag: `${tag}_${version}`, operationId, type: 'APIResourceList' }));
  }
  return [...found.values()].map((plain) => [plain.path, { get: operationOf(plain) }]);
}

function discoveryPath(
  path: string,
  { tag, operationId, type }: { readonly tag: string; readonly operationId: string; readonly type: string },
): PlainPath {
  return { path, tag, operationId, definition: META + type, consumes: BUILTIN_ANSWERS, produces: BUILTIN_ANSWERS };
}

function operationOf({ tag, operationId, definition, consumes, produces }: PlainPath): JsonObject {
  const schema = definition === undefined ? { type: 'string' } : { $ref: DEFINITION + definition };
  return {
    ...(consumes === undefined ? {} : { consumes }),
    produces,
    schemes: ['https'],
    tags: [tag],
    operationId,
    responses: responsesOf([200], schema),
  };
}
