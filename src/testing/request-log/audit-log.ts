import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { LoggedRequest } from './logged-request.js';
import { RequestLog } from './request-log.js';

/** The part of an entry (`audit.k8s.io/v1` Event) that is read. */
interface AuditEntry {
  readonly auditID: string;
  readonly stage: string;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: { readonly username?: string };
  readonly impersonatedUser?: { readonly username?: string };
  readonly userAgent?: string;
  readonly objectRef?: Partial<Record<'apiGroup' | 'apiVersion' | 'name' | 'namespace' | 'resource' | 'subresource', string>>;
  readonly responseStatus?: { readonly code?: number };
  readonly requestReceivedTimestamp: string;
}

/** Parts of the control plane: what they ask is not a request of the test's or of what it tests. */
const OWN_AGENTS = ['kube-apiserver/', 'kube-controller-manager/'];

/**
 * The audit policy for {@link AuditLog}: user and request, without bodies. Probes are left out: they would be most of the log.
 * Each request is logged when it comes in too: a test that has seen its effect, through a watch, may look before it is answered.
 */
export const AUDIT_POLICY: object = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  rules: [{ level: 'None', nonResourceURLs: ['/readyz*', '/livez*', '/healthz*'] }, { level: 'Metadata' }],
};

/**
 * Reads the log of requests that a kube-apiserver writes (`--audit-log-path`).
 * With the mode `blocking-strict` a request is in it before it has an effect, and its code before the answer ends.
 */
export class AuditLog {
  readonly #file: string;
  readonly #byId = new Map<string, LoggedRequest>();
  #offset: number;
  #next = 1;

  /** @param offset in bytes: what stands before it is not read */
  constructor(file: string, offset = 0) {
    this.#file = file;
    this.#offset = offset;
  }

  /** As of now. */
  get log(): RequestLog {
    for (const line of this.#newLines()) this.#add(JSON.parse(line) as AuditEntry);
    return new RequestLog({ requests: [...this.#byId.values()], next: this.#next, first: 1 });
  }

  #newLines(): string[] {
    const file = openSync(this.#file, 'r');
    try {
      const bytes = Buffer.alloc(fstatSync(file).size - this.#offset);
      const read = readSync(file, bytes, 0, bytes.length, this.#offset);
      // Cut at a line's end: within a line there may be half of a character.
      const end = bytes.subarray(0, read).lastIndexOf(0x0a) + 1;
      this.#offset += end;
      return bytes
        .subarray(0, end)
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '');
    } finally {
      closeSync(file);
    }
  }

  #add(entry: AuditEntry): void {
    const { userAgent = '' } = entry;
    if (OWN_AGENTS.some((agent) => userAgent.startsWith(agent))) return;
    const known = this.#byId.get(entry.auditID);
    const number = known?.number ?? this.#next++;
    this.#byId.set(entry.auditID, loggedRequest(entry, number));
  }
}

function loggedRequest(entry: AuditEntry, number: number): LoggedRequest {
  const { apiGroup = '', apiVersion = '', resource = '', subresource = '', namespace = '', name = '' } = entry.objectRef ?? {};
  return {
    number,
    time: new Date(entry.requestReceivedTimestamp),
    user: (entry.impersonatedUser ?? entry.user).username ?? '',
    userAgent: entry.userAgent ?? '',
    verb: entry.verb,
    group: apiGroup,
    version: apiVersion,
    resource,
    subresource,
    namespace,
    // The audit log of a create has the name in the body: the request itself has none.
    name: entry.verb === 'create' && subresource === '' ? '' : name,
    url: entry.requestURI,
    code: entry.responseStatus?.code,
  };
}
