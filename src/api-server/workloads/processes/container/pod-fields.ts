import { parseQuantity, quantityAmount } from '@keelson/kubernetes/apimachinery';
import type { Pod, ResourceFieldSelector } from '@keelson/kubernetes/kinds';

export interface PodWithAddress {
  readonly pod: Pod;
  readonly address: string;
  readonly nodeAddress: string;
}

/** A machine without limits: what a container may use that declares none. The same as the simulated Node says of itself. */
const NODE_LIMITS: Readonly<Record<string, string>> = { cpu: '8', memory: '32Gi', 'ephemeral-storage': '100Gi' };

/**
 * The value of a field of the downward API, as text.
 *
 * Source: `ExtractFieldPathAsString` in kubernetes `pkg/fieldpath` and `podFieldSelectorRuntimeValue` in `pkg/kubelet/kubelet_pods.go`.
 */
export function podField({ pod, address, nodeAddress }: PodWithAddress, path: string): string {
  const { metadata, spec } = pod;
  const [, map, key = ''] = /^metadata\.(annotations|labels)\['(.*)'\]$/.exec(path) ?? [];
  if (map !== undefined) return metadata[map as 'annotations' | 'labels']?.[key] ?? '';
  switch (path) {
    case 'metadata.name':
      return metadata.name;
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid ?? '';
    case 'metadata.labels':
      return mapText(metadata.labels);
    case 'metadata.annotations':
      return mapText(metadata.annotations);
    case 'spec.nodeName':
      return spec.nodeName ?? '';
    case 'spec.serviceAccountName':
      return spec.serviceAccountName ?? '';
    case 'status.podIP':
    case 'status.podIPs':
      return address;
    case 'status.hostIP':
    case 'status.hostIPs':
      return nodeAddress;
    default:
      throw new RangeError(`the API server lets no fieldPath ${JSON.stringify(path)} pass`);
  }
}

function mapText(map: Readonly<Record<string, string>> = {}): string {
  return Object.entries(map)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');
}

/**
 * The value of `resourceFieldRef`, in units of its divisor, rounded up.
 *
 * Source: `ExtractContainerResourceValue` in kubernetes `pkg/api/v1/resource/helpers.go`.
 */
export function resourceField(pod: Pod, { resource, divisor, containerName }: ResourceFieldSelector, own: string): string {
  const name = containerName ?? own;
  const container = [...(pod.spec.initContainers ?? []), ...pod.spec.containers].find((one) => one.name === name);
  const [, kind = '', which = ''] = /^(limits|requests)\.(.+)$/.exec(resource) ?? [];
  const declared = container?.resources?.[kind as 'limits' | 'requests']?.[which];
  const fallback = kind === 'limits' ? NODE_LIMITS[which] : '0';
  const amount = amountOf(declared ?? fallback ?? '0');
  const unit = amountOf(divisor === undefined || String(divisor) === '0' ? '1' : divisor);
  return String(Math.ceil(amount / unit));
}

/** In thousandths. */
function amountOf(quantity: number | string): number {
  const parsed = parseQuantity(String(quantity));
  return typeof parsed === 'string' ? 0 : Number(quantityAmount(parsed, -3));
}
