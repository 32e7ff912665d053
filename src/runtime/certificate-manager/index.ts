/** Where the serving certificate comes from, and how it stays fresh: issued here and shared by the replicas, or issued by another tool and mounted. */
export { CertificateManager, type CertificateManagerOptions } from './certificate-manager.js';

export type { CertificateObserver } from './observer.js';
