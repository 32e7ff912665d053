/** The kinds that the server keeps: built-in ones from generated tables, custom ones from CustomResourceDefinitions. */
export { type BuiltinHandlers, builtinResources } from './builtin/index.js';
export { DefinitionControllers } from './custom-resources/index.js';
