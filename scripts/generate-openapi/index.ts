export { definitionsModule } from './definitions-module.js';
