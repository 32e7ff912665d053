/** The in-process API server, put together and listening. */
export { ApiServer, type ApiServerOptions, type ServerProblem } from './api-server.js';
export { type ClientCredentials, type KubeconfigOptions, kubeconfigText } from './kubeconfig.js';
