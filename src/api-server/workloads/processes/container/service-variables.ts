import type { Pod, Service } from '@keelson/kubernetes/kinds';

/**
 * The variables that a kubelet gives to containers: where the API server is, and (unless the Pod has `enableServiceLinks: false`) the Services of its namespace.
 *
 * Source: kubernetes `pkg/kubelet/envvars`, without the variables of Docker's links.
 */
export function serviceVariables(
  { spec }: Pod,
  { services, apiServer }: { readonly services: readonly Service[]; readonly apiServer: string },
): Readonly<Record<string, string>> {
  const { hostname, port } = new URL(apiServer);
  const variables: Record<string, string> = {};
  for (const { metadata, spec: { clusterIP = '', ports = [] } = {} } of spec.enableServiceLinks === false ? [] : services) {
    if (clusterIP === '' || clusterIP === 'None' || metadata.name === 'kubernetes') continue;
    const prefix = `${metadata.name.toUpperCase().replaceAll('-', '_')}_SERVICE`;
    variables[`${prefix}_HOST`] = clusterIP;
    for (const [index, one] of ports.entries()) {
      if (index === 0) variables[`${prefix}_PORT`] = String(one.port);
      if (one.name !== undefined && one.name !== '')
        variables[`${prefix}_PORT_${one.name.toUpperCase().replaceAll('-', '_')}`] = String(one.port);
    }
  }
  return { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port, KUBERNETES_SERVICE_PORT_HTTPS: port, ...variables };
}
