import { Deployment, Pod } from '@keelson/kubernetes/kinds';
import { type ApiClient, isNotFound } from '@keelson/runtime/internal/client';
import { RUNTIME_CONTRACT } from 'keelson/internal/definition';
import { WhyError } from '../errors.js';
import type { PodPort } from './pod-port.js';

/** The port of the metrics of each Pod that runs. @throws WhyError when the Deployment does not exist or has no port for metrics, and when no Pod is running */
export async function metricsPorts(
  client: ApiClient,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<readonly PodPort[]> {
  const { spec } = await client.get(Deployment, { namespace, name }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    throw new WhyError(`--operator ${namespace}/${name}: the Deployment does not exist`, { cause: error });
  });
  const ports = (spec?.template.spec?.containers ?? []).flatMap(({ ports = [] }) => ports);
  const metrics = ports.find((port) => port.name === RUNTIME_CONTRACT.portNames.metrics);
  if (metrics === undefined)
    throw new WhyError(
      `--operator ${namespace}/${name}: the Deployment has no container port ${RUNTIME_CONTRACT.portNames.metrics}; the journal is read at the port of secured metrics`,
    );
  const { items } = await client.list(Pod, { namespace, labelSelector: spec?.selector ?? {} });
  const running = items.filter(({ metadata, status }) => status?.phase === 'Running' && metadata.deletionTimestamp === undefined);
  if (running.length === 0) throw new WhyError(`--operator ${namespace}/${name}: none of its Pods is running`);
  return running.map(({ metadata }) => ({ namespace, pod: metadata.name, port: metrics.containerPort }));
}
