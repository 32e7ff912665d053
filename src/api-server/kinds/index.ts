export { type BuiltinHandlers, builtinResources } from './builtin/index.js';
export { DefinitionControllers } from './custom-resources/index.js';
