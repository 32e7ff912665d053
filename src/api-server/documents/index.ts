/** Documents that the server makes from its catalog: discovery, OpenAPI, tables. */
export { Discovery } from './discovery/index.js';
export { type BuiltinDefinitions, builtinDefinitions, OpenApi } from './openapi/index.js';
export { scaleTable, tableOf } from './tables/index.js';
