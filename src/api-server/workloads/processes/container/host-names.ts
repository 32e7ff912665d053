import type { Pod, Service } from '@keelson/kubernetes/kinds';

/** `pod.service.namespace.svc.cluster.local` and its shorter forms. A single label is not taken for a name: it may be any word. */
const FORM = /^(?:(?<host>[a-z\d-]+)\.)?(?<service>[a-z\d-]+)\.(?<namespace>[a-z\d-]+)\.svc(?:\.cluster\.local)?$/;

export interface NameOfPod {
  readonly hostname: string;
  readonly subdomain: string;
  readonly namespace: string;
}

export interface NamedHost {
  readonly service: Service;
  /** The first label, if the name is that of a Pod behind a headless Service. */
  readonly hostname?: string;
}

/** The Service behind a host name, as a Pod of `namespace` reads it; undefined if it is not a name of the cluster. */
export function namedHost(
  name: string,
  namespace: string,
  find: (namespace: string, service: string) => Service | undefined,
): NamedHost | undefined {
  for (const { host, service: serviceName, namespace: where } of readings(name, namespace)) {
    const service = find(where, serviceName);
    if (service !== undefined) return { service, ...(host === undefined ? {} : { hostname: host }) };
  }
  return undefined;
}

interface Reading {
  readonly host?: string | undefined;
  readonly service: string;
  readonly namespace: string;
}

function readings(name: string, namespace: string): readonly Reading[] {
  const groups = FORM.exec(name)?.groups;
  if (groups !== undefined)
    return [{ host: groups['host'], service: groups['service'] as string, namespace: groups['namespace'] as string }];
  const [first = '', second, third, ...rest] = name.split('.');
  if (second === undefined || rest.length > 0) return [];
  if (third !== undefined) return [{ host: first, service: second, namespace: third }];
  return [
    { host: first, service: second, namespace },
    { service: first, namespace: second },
  ];
}

/** The name by which a Pod is found behind its headless Service: its own, whatever becomes of the Pod. */
export function nameOfPod({ metadata, spec }: Pod): NameOfPod | undefined {
  const { hostname = '', subdomain = '' } = spec;
  return hostname === '' || subdomain === '' ? undefined : { hostname, subdomain, namespace: metadata.namespace ?? '' };
}

/** Key under which the address of such a name is kept. */
export function addressKey({ hostname, subdomain, namespace }: NameOfPod): string {
  return `${hostname}.${subdomain}.${namespace}`;
}
