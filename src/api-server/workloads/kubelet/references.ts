import type { ConfigMap, Container, Pod, Secret } from '@keelson/kubernetes/kinds';

/** The ConfigMaps and Secrets of a Pod's namespace. */
export interface ConfigurationView {
  configMap(name: string): ConfigMap | undefined;
  secret(name: string): Secret | undefined;
  /** Whether each namespace gets the ConfigMap `kube-root-ca.crt`: a server without TLS has no certificate to publish. */
  readonly hasRootCa: boolean;
}

/** The reason for which a container waits, as its status says it. */
export interface Lack {
  readonly reason: 'ContainerCreating' | 'CreateContainerConfigError';
  readonly message?: string;
}

/** The absent things that a container waits for: volumes are not mounted, or its environment cannot be made. */
export function lackOf(pod: Pod, container: Container, view: ConfigurationView): Lack | undefined {
  if (lacksVolume(pod, view)) return { reason: 'ContainerCreating' };
  const message = environmentProblem(pod.metadata.namespace ?? '', container, view);
  return message === undefined ? undefined : { reason: 'CreateContainerConfigError', message };
}

/** Whether the Pod may wait for a ConfigMap or Secret to be made. */
export function refersTo({ spec }: Pod): boolean {
  const containers = [...(spec.initContainers ?? []), ...spec.containers];
  return (
    (spec.volumes ?? []).length > 0 ||
    containers.some(({ env = [], envFrom = [] }) => envFrom.length > 0 || env.some(({ valueFrom }) => valueFrom !== undefined))
  );
}

/** The API server's certificate, which lies beside the token of every Pod. */
export const ROOT_CA = 'kube-root-ca.crt';

function lacksVolume({ spec }: Pod, view: ConfigurationView): boolean {
  return (spec.volumes ?? []).some(({ configMap, secret, projected }) => {
    const sources = projected?.sources ?? [];
    const configMaps = [configMap, ...sources.map((source) => source.configMap)];
    const secrets = [secret && { ...secret, name: secret.secretName }, ...sources.map((source) => source.secret)];
    return (
      configMaps.some(
        (one) =>
          one !== undefined &&
          one.optional !== true &&
          (view.hasRootCa || one.name !== ROOT_CA) &&
          view.configMap(one.name ?? '') === undefined,
      ) || secrets.some((one) => one !== undefined && one.optional !== true && view.secret(one.name ?? '') === undefined)
    );
  });
}

interface Reference {
  readonly name?: string | undefined;
  readonly key?: string | undefined;
  readonly optional?: boolean | undefined;
}

function environmentProblem(namespace: string, { env = [], envFrom = [] }: Container, view: ConfigurationView): string | undefined {
  const references = [
    ...envFrom.map(({ configMapRef, secretRef }) => ({ configMapRef, secretRef })),
    ...env.map(({ valueFrom }) => ({ configMapRef: valueFrom?.configMapKeyRef, secretRef: valueFrom?.secretKeyRef })),
  ];
  for (const { configMapRef, secretRef } of references) {
    const problem =
      problemOf(configMapRef, { kind: 'ConfigMap', namespace, find: (name) => view.configMap(name) }) ??
      problemOf(secretRef, { kind: 'Secret', namespace, find: (name) => view.secret(name) });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

interface Found {
  readonly data?: Readonly<Record<string, string>> | undefined;
  readonly binaryData?: Readonly<Record<string, string>> | undefined;
}

function problemOf(
  reference: Reference | undefined,
  { kind, namespace, find }: { readonly kind: string; readonly namespace: string; readonly find: (name: string) => Found | undefined },
): string | undefined {
  if (reference === undefined || reference.optional === true) return undefined;
  const { name = '', key } = reference;
  const found = find(name);
  if (found === undefined) return `${kind.toLowerCase()} "${name}" not found`;
  if (key === undefined || Object.hasOwn(found.data ?? {}, key)) return undefined;
  return `couldn't find key ${key} in ${kind} ${namespace}/${name}`;
}
