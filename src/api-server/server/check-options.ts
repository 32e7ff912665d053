import { isIPv4 } from 'node:net';
import { SERVER_FEATURES } from '../contract/index.js';
import { isProcesses } from '../workloads/index.js';
import { ApiServerError } from './errors.js';
import type { ApiServerOptions } from './options.js';

/** @throws ApiServerError for options that types do not hold back: numbers out of range, texts that come from elsewhere */
export function checkOptions(options: ApiServerOptions): void {
  const { port, protocol, mode, serviceRange, services = {} } = options;
  if (port !== undefined && !isPort(port, 0)) refuse('port', port, 'a number from 0 (any that is free) to 65535');
  if (protocol !== undefined && !['http', 'https'].includes(protocol)) refuse('protocol', protocol, 'http or https');
  if (mode !== undefined && !['cluster', 'envtest'].includes(mode)) refuse('mode', mode, 'cluster or envtest');
  if (mode === 'envtest' && (options.workloads ?? false) !== false)
    throw new ApiServerError("workloads: there are no controllers in mode 'envtest': leave out the mode, or the workloads");
  const containers = typeof options.workloads === 'object' ? options.workloads.containers : undefined;
  if (containers !== undefined && !isProcesses(containers))
    refuse('workloads.containers', containers, "what processes returns: processes({ 'memcached:*': 'memcached' })");
  for (const feature of options.features ?? [])
    if (!SERVER_FEATURES.includes(feature)) refuse('features', feature, SERVER_FEATURES.join(' or '));
  if (serviceRange !== undefined && !isServiceRange(serviceRange))
    refuse('serviceRange', serviceRange, 'an IPv4 network of 4 to 1048576 addresses, like 10.0.0.0/24');
  for (const [service, local] of Object.entries(services)) checkService(service, local);
  for (const name of ['maxEvents', 'maxBytes'] as const) {
    const limit = options[name];
    if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) refuse(name, limit, 'a whole number above 0');
  }
}

/** @throws ApiServerError */
export function checkService(service: string, port: number): void {
  if (!/^[^/]+\/[^/]+$/.test(service)) refuse('services', service, 'Services as namespace/name');
  if (!isPort(port, 1)) refuse(`services[${JSON.stringify(service)}]`, port, 'a port of this machine, 1 to 65535');
}

function refuse(option: string, found: unknown, wanted: string): never {
  throw new ApiServerError(`${option}: ${JSON.stringify(found)} is not possible: give ${wanted}`);
}

function isPort(port: number, least: number): boolean {
  return Number.isInteger(port) && port >= least && port <= 65_535;
}

/** As `--service-cluster-ip-range`: at most 20 bits, and more than the server's own address. */
function isServiceRange(range: string): boolean {
  const [network = '', bits = '', ...rest] = range.split('/');
  if (rest.length > 0 || !isIPv4(network) || !/^\d+$/.test(bits) || Number(bits) < 12 || Number(bits) > 30) return false;
  const number = network.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return number % 2 ** (32 - Number(bits)) === 0;
}
