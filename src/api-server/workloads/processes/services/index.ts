/** Services of Pods that run as processes, reached at their ClusterIPs ({@link ServiceProxy}) and by the API server ({@link ServiceEndpoints}). */
export { SERVICE_NAME, ServiceEndpoints, type ServicePort } from './service-endpoints.js';
export { ServiceProxy } from './service-proxy.js';
