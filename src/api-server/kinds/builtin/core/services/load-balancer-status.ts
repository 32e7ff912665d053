import { dns1123SubdomainProblems, forbidden, invalid, notSupported, required } from '@keelson/kubernetes/apimachinery';
import { type Errors, invalidEach, ipErrors, parseIp, those } from '../../checks/index.js';
import type { LoadBalancerStatus } from '../../drafts.js';

const PATH = 'status.loadBalancer.ingress';
const MODES = ['Proxy', 'VIP'];

interface Entry {
  readonly ip?: string | undefined;
  readonly ipMode?: string | undefined;
  readonly hostname?: string | undefined;
}

/** Where a load balancer of a Service can be reached. Source: kubernetes `pkg/apis/core/validation` (`ValidateLoadBalancerStatus`). */
export function loadBalancerErrors(status: LoadBalancerStatus, old: LoadBalancerStatus, isBalanced: boolean): Errors {
  const entries: readonly Entry[] = status.ingress ?? [];
  if (!isBalanced && entries.length > 0) return [forbidden(PATH, "may only be used when `spec.type` is 'LoadBalancer'")];
  const known = (old.ingress ?? []).map(({ ip }) => ip);
  return entries.flatMap(({ ip = '', ipMode, hostname = '' }, index): Errors => {
    const path = `${PATH}[${index}]`;
    return those(
      !(ip === '' || known.includes(ip)) && ipErrors(ip, `${path}.ip`),
      modeErrors(ip, ipMode, `${path}.ipMode`),
      hostnameErrors(hostname, `${path}.hostname`),
    );
  });
}

function modeErrors(ip: string, mode: string | undefined, path: string): Errors {
  if (mode === undefined) return ip === '' ? [] : [required(path, 'must be specified when `ip` is set')];
  if (ip === '') return [forbidden(path, 'may not be specified when `ip` is not set')];
  return MODES.includes(mode) ? [] : [notSupported(path, mode, MODES)];
}

/** Also of Ingresses. */
export function hostnameErrors(hostname: string, path: string): Errors {
  if (hostname === '') return [];
  const isAddress = parseIp(hostname) !== undefined;
  return those(
    invalidEach(path, hostname, dns1123SubdomainProblems(hostname)),
    isAddress && invalid(path, hostname, 'must be a DNS name, not an IP address'),
  );
}
