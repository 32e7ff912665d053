/**
 * Custom resources: the rules of CustomResourceDefinitions ({@link customResourceDefinitionBehaviour}), the resources that they define
 * ({@link customResource}), and the controllers that accept their names, serve them and clean up behind them ({@link DefinitionControllers}).
 *
 * Source of the rules: apiextensions-apiserver; each file names its own.
 */
export { DefinitionControllers, type DefinitionControllersOptions } from './controllers/index.js';
export type { ConversionClientConfig, WebhookCaller, WebhookService } from './conversion/index.js';
export {
  customResourceDefinitionBehaviour,
  type Definition,
  definitionErrors,
  definitionUpdateErrors,
  webhookServiceErrors,
  webhookUrlErrors,
} from './crd/index.js';
export { type CustomResource, type CustomResourceOptions, customResource } from './custom-resource.js';
export { JsonPathError, parseJsonPath } from './json-path/index.js';
