import { type InstallSurroundings, install } from './installation/index.js';
import type { ContentOptions } from './options.js';
import type { RunningCluster } from './running-cluster.js';

/** Installs the content of a cluster that has just been started; closes the cluster where that fails. */
export async function filled<TCluster extends RunningCluster>(
  cluster: TCluster,
  options: ContentOptions,
  surroundings: InstallSurroundings,
): Promise<TCluster> {
  try {
    await install(cluster, options, surroundings);
    return cluster;
  } catch (error) {
    await cluster.close();
    throw error;
  }
}
