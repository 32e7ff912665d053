/** Controllers of CustomResourceDefinitions: names, establishing, approval, cleaning up. */
export { DefinitionControllers, type DefinitionControllersOptions } from './definition-controllers.js';
