import type { Pod } from '../../../kinds/index.js';
import { goQuote } from '../../../kubernetes/index.js';
import type { SubresourceAnswer, SubresourceConnection, SubresourceRequest, SubresourceStream } from '../../contract/index.js';
import type { BuiltinHandlers } from '../../kinds/index.js';
import { badRequest, notFound, notImplemented } from '../../status/index.js';
import { type PodProcesses, podExec, podLog } from '../../workloads/index.js';
import type { HandlerSurroundings } from './surroundings.js';

const NODES = { group: '', plural: 'nodes' };
const PODS = { group: '', plural: 'pods' };
const SERVICES = { group: '', plural: 'services' };

/**
 * What a kube-apiserver hands on to a kubelet, or to what runs in the cluster. Logs and commands reach Pods that run as processes; all else ends in 501. What the
 * API server refuses itself before it gets there is refused here as well.
 *
 * Source: kubernetes 1.34 `pkg/registry/core/{pod,node,service}`, `strategy.go` and `storage`.
 */
export function kubeletHandlers({ cluster, clock, processes }: HandlerSurroundings): BuiltinHandlers {
  type Request = Pick<SubresourceRequest, 'namespace' | 'name' | 'query'>;
  const podOf = ({ namespace, name }: Pick<Request, 'namespace' | 'name'>): Pod => {
    const pod = cluster.get(PODS, { namespace, name });
    if (pod === undefined) throw notFound(PODS, name);
    return pod as unknown as Pod;
  };
  /** @param asked what the server's message is about: of a Pod's node it is the Pods */
  const checkNode = (name: string, asked: typeof NODES): void => {
    if (cluster.get(NODES, { namespace: '', name }) === undefined) throw notFound(asked, name);
  };
  /** Undefined: the Pod is simulated. */
  const runnerOf = (pod: Pod): PodProcesses | undefined => {
    const runner = processes();
    return runner?.runs(pod) === true ? runner : undefined;
  };
  const stream = (request: Request, what: string): SubresourceConnection => {
    const pod = podOf(request);
    const container = what === 'pods/portforward' ? '' : checkedContainer(pod, request.query.get('container') ?? '');
    const node = pod.spec?.nodeName ?? '';
    if (node === '') throw badRequest(`pod ${request.name} does not have a host assigned`);
    checkNode(node, PODS);
    const runner = runnerOf(pod);
    if (runner !== undefined && what === 'pods/exec') return podExec(pod, { query: request.query, container }, runner);
    throw notImplemented(what);
  };
  const log = (request: Request): SubresourceAnswer | SubresourceStream => {
    const { query } = request;
    const pod = podOf(request);
    const container = checkedContainer(pod, query.get('container') ?? '');
    const node = pod.spec?.nodeName ?? '';
    // There is nowhere to read from, and the server has no words for that.
    if (node === '') return { code: 204, body: '' };
    checkNode(node, PODS);
    const runner = runnerOf(pod);
    if (runner === undefined) throw notImplemented('pods/log');
    return { stream: podLog(pod, { query, container, now: clock.now() }, runner) };
  };
  const proxy = {
    pods: (request: Request): never => {
      const pod = podOf({ namespace: request.namespace, name: hostOf(request.name, 'pod') });
      if ((pod.status?.podIPs ?? []).length === 0) throw badRequest('address not allowed');
      throw notImplemented('pods/proxy');
    },
    services: ({ namespace, name }: Request): never => {
      const host = hostOf(name, 'service');
      if (cluster.get(SERVICES, { namespace, name: host }) === undefined) throw notFound(SERVICES, host);
      throw notImplemented('services/proxy');
    },
    nodes: ({ name }: Request): never => {
      checkNode(hostOf(name, 'node'), NODES);
      throw notImplemented('nodes/proxy');
    },
  };
  const answering =
    <T>(answer: (request: Request) => T) =>
    async (request: Request) =>
      answer(request);
  return {
    'pods/log': answering(log),
    'pods/exec': answering((request) => stream(request, 'pods/exec')),
    'pods/attach': answering((request) => stream(request, 'pods/attach')),
    'pods/portforward': answering((request) => stream(request, 'pods/portforward')),
    'pods/proxy': answering(proxy.pods),
    'services/proxy': answering(proxy.services),
    'nodes/proxy': answering(proxy.nodes),
  };
}

/** @returns its name, that of the only container where the request names none */
function checkedContainer({ metadata, spec }: Pod, container: string): string {
  const name = metadata?.name ?? '';
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec ?? {};
  const names = [...initContainers, ...containers, ...ephemeralContainers].map((one) => one.name);
  if (container !== '') {
    if (!names.includes(container)) throw badRequest(`container ${container} is not valid for pod ${name}`);
    return container;
  }
  const [only] = containers;
  if (only === undefined || containers.length > 1)
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`);
  return only.name;
}

/** Of `name`, `name:port` or `scheme:name:port`. Source: apimachinery `pkg/util/net/port_split.go`. */
function hostOf(id: string, what: string): string {
  const parts = id.split(':');
  const [scheme, name] = parts.length === 3 ? parts : ['', parts[0]];
  if (parts.length > 3 || name === undefined || name === '' || !['', 'http', 'https'].includes(scheme ?? ''))
    throw badRequest(`invalid ${what} request ${goQuote(id)}`);
  return name;
}
