/** The process seen from outside: logs, metrics, health, traces, profiles. No station imports it: stations define observers, which it implements. */
export { createLog, type Log, type LogOptions } from './create-log.js';
export { TelemetryServerError } from './errors.js';
export type { HealthCheck } from './health-check.js';
export { Metrics, type MetricsOptions } from './metrics.js';
export { MetricsServer, type MetricsServerOptions, type SecureMetrics } from './metrics-server.js';
export type { CertificateObserver, QueueGauges, ReconcileEnd, ReconcileObserver, WebhookObserver } from './observers.js';
export { ProbeServer, type ProbeServerOptions } from './probe-server.js';
export { readableLine } from './readable-line.js';
export { createTracing, type SpanAttributes, type Tracing, type TracingOptions } from './tracing.js';
