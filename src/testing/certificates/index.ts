/** Certificates of the in-process API server: its authority, its serving certificate, client certificates, and who a client certificate is. */
export { type ClientIdentity, clientIdentity, UID_ATTRIBUTE } from './client-identity.js';
export { type CertificateUser, type ServerCertificateOptions, ServerCertificates } from './server-certificates.js';
