import type { Pod } from '../../../kinds/index.js';
import { goQuote } from '../../../kubernetes/index.js';
import type { SubresourceAnswer, SubresourceRequest } from '../../contract/index.js';
import type { BuiltinHandlers } from '../../kinds/index.js';
import { badRequest, notFound, notImplemented } from '../../status/index.js';
import type { HandlerSurroundings } from './surroundings.js';

const NODES = { group: '', plural: 'nodes' };
const PODS = { group: '', plural: 'pods' };
const SERVICES = { group: '', plural: 'services' };

/**
 * What a kube-apiserver hands on to a kubelet, or to what runs in the cluster. Neither is there, so that in the end the answer is 501; what the API server refuses
 * itself before it gets there is refused here as well.
 *
 * Source: kubernetes 1.34 `pkg/registry/core/{pod,node,service}`, `strategy.go` and `storage`.
 */
export function kubeletHandlers({ cluster }: HandlerSurroundings): BuiltinHandlers {
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
  const stream = (request: Request, what: string, needsContainer: boolean): never => {
    const pod = podOf(request);
    if (needsContainer) checkContainer(pod, request.query.get('container') ?? '');
    const node = pod.spec?.nodeName ?? '';
    if (node === '') throw badRequest(`pod ${request.name} does not have a host assigned`);
    checkNode(node, PODS);
    throw notImplemented(what);
  };
  const log = (request: Request): SubresourceAnswer => {
    const pod = podOf(request);
    checkContainer(pod, request.query.get('container') ?? '');
    const node = pod.spec?.nodeName ?? '';
    // There is nowhere to read from, and the server has no words for that.
    if (node === '') return { code: 204, body: '' };
    checkNode(node, PODS);
    throw notImplemented('pods/log');
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
  const answering = (answer: (request: Request) => SubresourceAnswer) => async (request: Request) => answer(request);
  return {
    'pods/log': answering(log),
    'pods/exec': answering((request) => stream(request, 'pods/exec', true)),
    'pods/attach': answering((request) => stream(request, 'pods/attach', true)),
    'pods/portforward': answering((request) => stream(request, 'pods/portforward', false)),
    'pods/proxy': answering(proxy.pods),
    'services/proxy': answering(proxy.services),
    'nodes/proxy': answering(proxy.nodes),
  };
}

function checkContainer({ metadata, spec }: Pod, container: string): void {
  const name = metadata?.name ?? '';
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec ?? {};
  const names = [...initContainers, ...containers, ...ephemeralContainers].map((one) => one.name);
  if (container !== '') {
    if (!names.includes(container)) throw badRequest(`container ${container} is not valid for pod ${name}`);
  } else if (containers.length !== 1)
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`);
}

/** Parts of `name`, `name:port` or `scheme:name:port`. Source: apimachinery `pkg/util/net/port_split.go`. */
function hostOf(id: string, what: string): string {
  const parts = id.split(':');
  const [scheme, name] = parts.length === 3 ? parts : ['', parts[0]];
  if (parts.length > 3 || name === undefined || name === '' || !['', 'http', 'https'].includes(scheme ?? ''))
    throw badRequest(`invalid ${what} request ${goQuote(id)}`);
  return name;
}
