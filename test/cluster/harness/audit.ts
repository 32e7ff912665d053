import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** One answered request in the API server's audit log (`audit.k8s.io/v1`). */
export interface AuditEntry {
  readonly auditID: string;
  readonly stage: string;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: { readonly username: string; readonly groups?: readonly string[] };
  readonly impersonatedUser?: { readonly username: string; readonly groups?: readonly string[] };
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
    readonly apiVersion?: string;
    readonly subresource?: string;
  };
  /** What was sent, of Leases alone. */
  readonly requestObject?: unknown;
  readonly responseStatus?: { readonly code?: number; readonly reason?: string; readonly message?: string };
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** What stands behind the offset, in bytes. The last line may still be in the making: it is left out until it ends. */
export function readAuditLog(path: string, offset: number): AuditEntry[] {
  const text = textBehind(path, offset);
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  return complete
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditEntry)
    .filter(({ stage }) => stage !== 'RequestReceived' && stage !== 'ResponseStarted');
}

function textBehind(path: string, offset: number): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(fstatSync(file).size - offset);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, offset));
  } finally {
    closeSync(file);
  }
}
