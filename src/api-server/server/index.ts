/** The in-process API server, put together and listening. */
export { ApiServer } from './api-server.js';
export { keepCopies, type ObjectCopy } from './copies.js';
export { ApiServerError } from './errors.js';
export { type ClientCredentials, type KubeconfigOptions, kubeconfigText } from './kubeconfig.js';
export { type Judgement, LocalApi, type ReadManifest } from './local-api.js';
export type { ApiServerOptions, ServerProblem } from './options.js';
