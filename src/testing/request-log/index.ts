/** The log of an API server's requests, with filters and assertions: the in-process server's, or a real one's from its audit log. */
export { AUDIT_POLICY, AuditLog } from './audit-log.js';
export { RequestLogError } from './errors.js';
export type { LoggedRequest } from './logged-request.js';
export { type NoWritesOptions, type RequestFilter, RequestLog, type RequestMark } from './request-log.js';
export { type RecorderOptions, RequestRecorder } from './request-recorder.js';
