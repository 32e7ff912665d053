/** Runs beside controllers and webhooks: the author's checks, endpoints and tasks. */
export { type ChecksOptions, healthChecksOf } from './checks.js';
export { EndpointServer, type EndpointServerOptions } from './endpoint-server.js';
export { type AnsweredOnce, checkOnce, endpointOnce, type PartObservation, type RanOnce, taskOnce } from './part-once.js';
export { Task, type TaskObserver, type TaskOptions } from './task.js';
