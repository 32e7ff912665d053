import { constants, Script } from 'node:vm';
import type * as clientNode from '@kubernetes/client-node';
import { type InProcessCluster, TestCluster } from '../../../src/testing/index.js';

export interface ClientNodeBench {
  readonly cluster: InProcessCluster;
  /** The module. */
  readonly k8s: typeof clientNode;
  /** Of an administrator. */
  readonly config: clientNode.KubeConfig;
}

export async function startBench(): Promise<ClientNodeBench> {
  const [cluster, k8s] = await Promise.all([TestCluster.start({ mode: 'envtest' }), loadClientNode()]);
  const config = new k8s.KubeConfig();
  config.loadFromString(await cluster.kubeconfig());
  return { cluster, k8s, config };
}

/**
 * The official JavaScript client, loaded by Node as an application loads it: it is written in ES modules, which jest cannot take into suites of CommonJS.
 * What it makes is of another realm, so that `instanceof` and `toStrictEqual` are not for it.
 */
function loadClientNode(): Promise<typeof clientNode> {
  const options = { filename: __filename, importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER };
  return new Script(`import('@kubernetes/client-node')`, options).runInThisContext() as Promise<typeof clientNode>;
}

/** What a call was refused with. */
export async function refusal(
  call: Promise<unknown>,
): Promise<{ readonly code: number; readonly status: Readonly<Record<string, unknown>> }> {
  const error: unknown = await call.then(
    () => new Error('was accepted'),
    (thrown: unknown) => thrown,
  );
  const { code, body } = error as { readonly code?: number; readonly body?: string };
  if (code === undefined || body === undefined) throw error;
  // For a path that no API has, a server answers with a bare text.
  return { code, status: body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : { message: body.trim() } };
}
