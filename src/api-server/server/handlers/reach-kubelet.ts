import { goQuote } from '@keelson/kubernetes/apimachinery';
import type { Pod } from '@keelson/kubernetes/kinds';
import type { SubresourceAnswer, SubresourceConnection, SubresourceRequest, SubresourceStream } from '../../contract/index.js';
import type { BuiltinHandlers } from '../../kinds/index.js';
import { badRequest, notFound, notImplemented, serviceUnavailable } from '../../status/index.js';
import { type PodProcesses, podAttach, podExec, podLog, podPortForward } from '../../workloads/index.js';
import type { HandlerSurroundings } from './surroundings.js';

const NODES = { group: '', plural: 'nodes' };
const PODS = { group: '', plural: 'pods' };
const SERVICES = { group: '', plural: 'services' };

type Request = Pick<SubresourceRequest, 'namespace' | 'name' | 'query'>;

/**
 * Requests that a kube-apiserver hands on to a kubelet, or to programs in the cluster. Logs, commands, streams and ports reach Pods that run as processes; all else ends in 501.
 * Requests that the API server refuses before it asks the kubelet are refused here as well.
 *
 * Source: kubernetes `pkg/registry/core/{pod,node,service}`, `strategy.go` and `storage`.
 */
export function kubeletHandlers(surroundings: HandlerSurroundings): BuiltinHandlers {
  const objects = new Objects(surroundings);
  return { ...containerHandlers(surroundings, objects), ...proxyHandlers(objects) };
}

class Objects {
  readonly #cluster: HandlerSurroundings['cluster'];

  constructor({ cluster }: HandlerSurroundings) {
    this.#cluster = cluster;
  }

  /** @throws StatusError 404 */
  pod({ namespace, name }: Pick<Request, 'namespace' | 'name'>): Pod {
    const pod = this.#cluster.get(PODS, { namespace, name });
    if (pod === undefined) throw notFound(PODS, name);
    return pod as unknown as Pod;
  }

  /** @param asked what the server's message is about: of a Pod's node it is the Pods @throws StatusError 404 */
  checkNode(name: string, asked: typeof NODES): void {
    if (this.#cluster.get(NODES, { namespace: '', name }) === undefined) throw notFound(asked, name);
  }

  /** The server looks for the endpoints of a Service, not for the Service. @throws StatusError 503 */
  checkService(namespace: string, name: string): void {
    if (this.#cluster.get(SERVICES, { namespace, name }) !== undefined) return;
    throw serviceUnavailable(`no endpoints available for service ${goQuote(name)}`);
  }
}

/** Logs of containers, and connections to them. */
function containerHandlers({ clock, processes }: HandlerSurroundings, objects: Objects): BuiltinHandlers {
  /** Undefined: the Pod is simulated. */
  const runnerOf = (pod: Pod): PodProcesses | undefined => {
    const runner = processes();
    return runner?.runs(pod) === true ? runner : undefined;
  };
  const connect =
    (what: string) =>
    async (request: Request): Promise<SubresourceConnection> => {
      const pod = objects.pod(request);
      const container = what === 'pods/portforward' ? '' : checkedContainer(pod, request.query.get('container') ?? '');
      const node = pod.spec?.nodeName ?? '';
      if (node === '') throw badRequest(`pod ${request.name} does not have a host assigned`);
      objects.checkNode(node, PODS);
      const runner = runnerOf(pod);
      if (runner === undefined) throw notImplemented(what);
      if (what === 'pods/portforward') return podPortForward(pod, request.query);
      const asked = { query: request.query, container };
      return what === 'pods/exec' ? podExec(pod, asked, runner) : podAttach(pod, asked, runner);
    };
  const log = async (request: Request): Promise<SubresourceAnswer | SubresourceStream> => {
    const { query } = request;
    const pod = objects.pod(request);
    const container = checkedContainer(pod, query.get('container') ?? '');
    const node = pod.spec?.nodeName ?? '';
    // There is nowhere to read from, and the server has no words for that.
    if (node === '') return { code: 204, body: '' };
    objects.checkNode(node, PODS);
    const runner = runnerOf(pod);
    if (runner === undefined) throw notImplemented('pods/log');
    return { stream: podLog(pod, { query, container, now: clock.now() }, runner) };
  };
  return {
    'pods/log': log,
    'pods/exec': connect('pods/exec'),
    'pods/attach': connect('pods/attach'),
    'pods/portforward': connect('pods/portforward'),
  };
}

function proxyHandlers(objects: Objects): BuiltinHandlers {
  return {
    'pods/proxy': async ({ namespace, name }) => {
      const pod = objects.pod({ namespace, name: hostOf(name, 'pod') });
      if ((pod.status?.podIPs ?? []).length === 0) throw badRequest('address not allowed');
      throw notImplemented('pods/proxy');
    },
    'services/proxy': async ({ namespace, name }) => {
      objects.checkService(namespace, hostOf(name, 'service'));
      throw notImplemented('services/proxy');
    },
    'nodes/proxy': async ({ name }) => {
      objects.checkNode(hostOf(name, 'node'), NODES);
      throw notImplemented('nodes/proxy');
    },
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

/** Parts of `name`, `name:port` or `scheme:name:port`. Source: apimachinery `pkg/util/net/port_split.go`. */
function hostOf(id: string, what: string): string {
  const parts = id.split(':');
  const [scheme, name] = parts.length === 3 ? parts : ['', parts[0]];
  if (parts.length > 3 || name === undefined || name === '' || !['', 'http', 'https'].includes(scheme ?? ''))
    throw badRequest(`invalid ${what} request ${goQuote(id)}`);
  return name;
}
