/**
 * The HTTP layer of the in-process API server: from bytes to calls of {@link Api} and back. It knows no kind and keeps no object; the code that puts a server
 * together passes in what it needs ({@link HttpParts}).
 *
 * Documents (discovery, OpenAPI, version, health) are {@link DocumentHandler}s behind {@link Documents}; authentication and authorization a {@link Gatekeeper};
 * faults an {@link Intercept}; the log a {@link RequestObserver}.
 */
export { ApiHttpServer, type ListeningAddress, type ListenOptions, type TlsMaterial } from './api-http-server.js';
export type { BodyKind, ProtobufDecoder } from './body-object.js';
export type { CarriedHead, CarriedReceiver, CarriedRequest } from './carried.js';
export type { DocumentAnswer, DocumentHandler, DocumentObject, DocumentRequest, Documents, DocumentText } from './document.js';
export type { Fault, Intercept, InterceptedRequest, WatchAction, WatchControl, WatchFault } from './faults.js';
export type { Gatekeeper, RequestAttributes, RequestFacts } from './gatekeeper.js';
export { methodNotAllowed } from './generic-errors.js';
export type { HttpLimits, HttpParts } from './parts.js';
export { PlainAnswer } from './plain-answer.js';
export { type RequestInfo, type RequestLine, requestInfoOf } from './request-info.js';
export type { RequestObserver, RequestRecord, RequestStages } from './request-log.js';
