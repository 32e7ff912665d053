import { equalJson, type Json, type KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { RUNTIME_CONTRACT } from 'keelson/internal/definition';
import { type Finding, findingOf, shown } from './finding.js';

interface Workload {
  readonly spec?: {
    readonly selector?: Json;
    readonly template?: {
      readonly spec?: { readonly containers?: readonly { readonly env?: readonly { readonly name: string; readonly value?: string }[] }[] };
    };
    readonly ports?: readonly { readonly name?: string; readonly port: number }[];
  };
}

/** Compares what the API server or other programs hold on to in a Deployment: its selector and the Lease of its process. */
export function deploymentChanges(object: string, before: KubernetesObject, after: KubernetesObject): readonly Finding[] {
  const [old, now] = [before as Workload, after as Workload];
  const [oldLease, newLease] = [leaseOf(old), leaseOf(now)];
  return [
    ...(equalJson(old.spec?.selector, now.spec?.selector)
      ? []
      : [findingOf('selector-changed', object, 'spec.selector', `${shown(old.spec?.selector)} → ${shown(now.spec?.selector)}`)]),
    ...(oldLease === newLease
      ? []
      : [findingOf('lease-changed', object, RUNTIME_CONTRACT.env.leaseName, `${shown(oldLease)} → ${shown(newLease)}`)]),
  ];
}

export function serviceChanges(object: string, before: KubernetesObject, after: KubernetesObject): readonly Finding[] {
  const portsOf = ({ spec }: Workload): readonly string[] => (spec?.ports ?? []).map(({ name = '', port }) => `${name}:${port}`);
  const now = portsOf(after as Workload);
  return portsOf(before as Workload)
    .filter((port) => !now.includes(port))
    .map((port) => findingOf('service-port-changed', object, 'spec.ports', `${port} is gone; there are ${now.join(', ') || 'none'}`));
}

function leaseOf({ spec }: Workload): string | undefined {
  const variables = (spec?.template?.spec?.containers ?? []).flatMap(({ env = [] }) => env);
  return variables.find(({ name }) => name === RUNTIME_CONTRACT.env.leaseName)?.value;
}
