/** OpenAPI documents of the in-process API server. Source of the rules: kube-openapi, apiserver `pkg/endpoints` and apiextensions `controller/openapi`. */
export { type BuiltinDefinitions, builtinDefinitions } from './builtin-definitions.js';
export type { OpenApiAnswer } from './conditional.js';
export { OpenApi, type OpenApiOptions, type OpenApiRequest } from './open-api.js';
