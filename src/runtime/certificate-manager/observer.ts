/** Reports on the serving certificate, for metrics. */
export interface CertificateObserver {
  /** A certificate has been taken into use. */
  read?(): void;
  /** There was one that could not be used, or it could not be looked for. */
  readFailed?(): void;
  /** When the certificate in use ends (H61). */
  expires?(at: Date): void;
}
