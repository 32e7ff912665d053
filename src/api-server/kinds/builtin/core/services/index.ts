/** Services, their addresses and ports, and Endpoints. */
export { endpoints, PORT_PROTOCOLS } from './endpoints.js';
export { hostnameErrors } from './load-balancer-status.js';
export { services } from './service.js';
