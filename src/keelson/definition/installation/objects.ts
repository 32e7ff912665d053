import { RUNTIME_CONTRACT } from '../runtime-settings.js';
import type { InstalledObject } from './installed-object.js';

interface Part {
  readonly name: string;
  readonly namespace: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** The identity of the process at the API server. Its token is mounted: a process without one can do nothing. */
export function serviceAccountObject(metadata: Part): InstalledObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: true };
}

/** The Service that the API server calls for admission and conversion. */
export function webhookServiceObject(metadata: Part, selector: Readonly<Record<string, string>>): InstalledObject {
  const { servicePorts, portNames } = RUNTIME_CONTRACT;
  return serviceObject(metadata, { name: 'https', port: servicePorts.webhook, targetPort: portNames.webhook }, selector);
}

interface ServicePort {
  readonly name: string;
  readonly port: number;
  readonly targetPort: string;
}

/** A Service with one port of the Pods that the selector selects. */
export function serviceObject(metadata: Part, port: ServicePort, selector: Readonly<Record<string, string>>): InstalledObject {
  return { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ ...port, protocol: 'TCP' }], selector } };
}
