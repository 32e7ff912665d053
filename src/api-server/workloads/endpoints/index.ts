/** Which Pods stand behind a Service. */
export { endpointController } from './endpoint-controller.js';
