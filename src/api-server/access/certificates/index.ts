/** Certificates of the in-process API server: its authority, its serving certificate, client certificates, the user of a client certificate, and what a request asks for. */
export { type CertificateRequest, readCertificateRequest } from './certificate-request.js';
export { type ClientIdentity, clientIdentity } from './client-identity.js';
export { pemBlocks } from './pem.js';
export { type CertificateUser, type ServerCertificateOptions, ServerCertificates } from './server-certificates.js';
