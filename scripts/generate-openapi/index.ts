export { definitionsModule, withoutProse } from './definitions-module.js';
export { mergeDefinitionsModule } from './merge-definitions-module.js';
