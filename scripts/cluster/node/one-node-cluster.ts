import { Component } from '../../../src/testing/cluster/control-plane/index.js';
import type { Image } from '../../images/index.js';
import { writeConfiguration } from './configuration.js';
import { corednsManifests } from './coredns-manifests.js';
import { type NodeCredentials, writeCredentials } from './credentials.js';
import { ImageStore } from './image-store.js';
import { endInNode, runInNode } from './in-node.js';
import { NodeGuardian } from './node-guardian.js';
import { findNodeTools, type NodeTools } from './node-tools.js';
import { type NodeParts, type PartName, part } from './parts.js';
import { type JsonRequest, requestJson } from './request-json.js';
import { NODE_NAME, type Site, SLOTS, siteOf, urlOf } from './site.js';
import { systemImages } from './system-images.js';

export interface OneNodeOptions {
  /** Users of the token file beside `admin`, with their groups. Default none. */
  readonly users?: Readonly<Record<string, readonly string[]>>;
  /** Images beside those of the system; built and imported while the API server starts. Default none. */
  readonly images?: () => readonly Image[] | Promise<readonly Image[]>;
  /** Called with what has been reached. Default: silence. */
  readonly report?: (line: string) => void;
}

const WITHIN_MS = 120_000;

/** A Kubernetes of one node: control plane, kubelet, kube-proxy, DNS. Everything of it ends with the process that started it. */
export class OneNodeCluster {
  readonly site: Site;
  readonly credentials: NodeCredentials;
  readonly tools: NodeTools;
  readonly #guardian: NodeGuardian;
  readonly #images: ImageStore;

  constructor(parts: NodeParts, guardian: NodeGuardian) {
    this.site = parts.site;
    this.credentials = parts.credentials;
    this.tools = parts.tools;
    this.#guardian = guardian;
    this.#images = new ImageStore(parts.site, parts.initPid);
  }

  /** The process whose namespaces are those of the node. */
  get initPid(): number {
    return this.#guardian.initPid;
  }

  /** Imports an image, so that Pods can name it. */
  addImage(image: Image): Promise<void> {
    return this.#images.add(image);
  }

  /** Runs a command in the namespaces of the node, for example `ctr` or `ip`. @throws Error with what it wrote */
  run(...command: readonly string[]): Promise<string> {
    return runInNode(this.initPid, command);
  }

  /** Ends every process of it, containers among them, and takes back what it had of the machine. */
  stop(): Promise<void> {
    return this.#guardian.finish();
  }

  /** Resolves when it has ended, by {@link stop} or by itself. */
  ended(): Promise<void> {
    return this.#guardian.ended();
  }
}

/**
 * Starts one, in the first free slot.
 *
 * Guarantees: when it resolves, Pods can be scheduled and names are resolved; when this process ends, however it ends, nothing is left of it on the machine.
 * Errors: a program is missing, all slots are taken, or {@link ComponentError} with the end of a log.
 */
export async function startOneNodeCluster(options: OneNodeOptions = {}): Promise<OneNodeCluster> {
  const search = findNodeTools();
  if (!search.found) throw new Error(search.reason);
  const { site, guardian } = await takeSlot();
  try {
    return await startParts({ site, tools: search.tools, guardian, options });
  } catch (error) {
    await guardian.finish();
    throw error;
  }
}

async function takeSlot(): Promise<{ readonly site: Site; readonly guardian: NodeGuardian }> {
  for (let slot = 0; slot < SLOTS; slot++) {
    const site = siteOf(slot);
    const guardian = await NodeGuardian.start(site);
    if (guardian !== undefined) return { site, guardian };
  }
  throw new Error(`${SLOTS} one-node clusters are running on this machine already: end one of them`);
}

interface StartRequest {
  readonly site: Site;
  readonly tools: NodeTools;
  readonly guardian: NodeGuardian;
  readonly options: OneNodeOptions;
}

async function startParts({ site, tools, guardian, options }: StartRequest): Promise<OneNodeCluster> {
  const { initPid } = guardian;
  const report = reporter(options.report);
  const credentials = writeCredentials(site, options.users ?? {});
  const parts: NodeParts = { site, tools, credentials, configuration: writeConfiguration(site, credentials), initPid };
  const start = (name: PartName): Promise<void> => new Component(part(name, parts), NOBODY).start();
  const cluster = new OneNodeCluster(parts, guardian);
  const [imported] = await Promise.all([
    containers(parts, start).then(() => {
      // Before any Pod wants them: containerd would look for a registry, and wait before it looks again.
      const system = addAll(cluster, systemImages());
      return { system, all: system.then(async () => addAll(cluster, (await options.images?.()) ?? [])) };
    }),
    start('etcd').then(() => start('kube-apiserver')),
  ]);
  report('the API server is ready');
  const control = [start('kube-controller-manager'), start('kube-scheduler'), start('kube-proxy'), applyAll(parts)];
  await Promise.all([...control, imported.system.then(() => start('kubelet'))]);
  await untilServed(parts, `/api/v1/nodes/${NODE_NAME}`, (node: Conditioned) => isTrue(node, 'Ready'));
  report('the node is ready');
  const coredns = '/apis/apps/v1/namespaces/kube-system/deployments/coredns';
  await Promise.all([untilServed(parts, coredns, (deployment: Conditioned) => isTrue(deployment, 'Available')), imported.all]);
  report('names are resolved, and all images are there');
  return cluster;
}

/** The guardian ends the namespace that all parts run in, so none of them is watched by its pid. */
const NOBODY = { guard: () => undefined, forget: () => undefined };

/** containerd, without the containers that an earlier cluster has left in the store: they ended with it. */
async function containers(parts: NodeParts, start: (name: PartName) => Promise<void>): Promise<void> {
  const store = new ImageStore(parts.site, parts.initPid);
  if (store.hasContainers) {
    const cleaner = new Component(part('containerd-without-cri', parts), NOBODY);
    await cleaner.start();
    await store.removeContainers();
    endInNode(cleaner.pid as number);
    await until('containerd ends', () => Promise.resolve(!cleaner.isRunning));
  }
  await start('containerd');
}

async function addAll(cluster: OneNodeCluster, images: readonly Image[]): Promise<void> {
  for (const image of images) await cluster.addImage(image);
}

async function applyAll(parts: NodeParts): Promise<void> {
  for (const { path, object } of corednsManifests(parts.site)) await requestJson({ ...request(parts, path), body: object });
}

const request = ({ site, credentials }: NodeParts, path: string): JsonRequest => ({ url: `${urlOf(site)}${path}`, credentials });

interface Conditioned {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const isTrue = ({ status }: Conditioned, wanted: string): boolean =>
  status?.conditions?.some((condition) => condition.type === wanted && condition.status === 'True') === true;

function untilServed<T>(parts: NodeParts, path: string, condition: (object: T) => boolean): Promise<void> {
  return until(path, async () => condition(await requestJson<T>(request(parts, path))));
}

const LOOK_EVERY_MS = 50;

async function until(what: string, ask: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  let last: unknown = 'the answer is not the awaited one';
  while (performance.now() < deadline) {
    const met = await ask().catch((error: unknown) => {
      last = error;
      return false;
    });
    if (met) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  throw new Error(`${what}: not reached within ${WITHIN_MS / 1000} s; ${String(last)}`);
}

function reporter(report: ((line: string) => void) | undefined): (what: string) => void {
  const started = performance.now();
  return (what) => report?.(`${((performance.now() - started) / 1000).toFixed(1)} s  ${what}`);
}
