/** What the server does by itself with definitions. */
export { DefinitionControllers, type DefinitionControllersOptions } from './definition-controllers.js';
