import { ApiServer, type ApiServerOptions } from '../../../src/api-server/server/index.js';
import { type ClusterOptions, type LocalCluster, SharedCluster, startCluster } from '../harness/index.js';
import { Speaker } from './exchange.js';

/** The embedded server and a real one of the same configuration; without options no controllers, as in Go's envtest. */
export interface Pair {
  readonly server: ApiServer;
  readonly cluster: LocalCluster | SharedCluster;
  /** The embedded one first. */
  readonly speakers: readonly [Speaker, Speaker];
  stop(): Promise<void>;
}

/** Users of both, beside `admin`, with their groups. */
const USERS: Readonly<Record<string, readonly string[]>> = { ann: ['dev'], bob: [] };

interface PairOptions extends Pick<ClusterOptions, 'controllerManager' | 'apiServerFlags'>, Pick<ApiServerOptions, 'features'> {}

/** @param options with controllers, both have them; flags are the real server's only, which is not of the pool then, features the embedded one's */
export async function startPair(options: PairOptions = {}): Promise<Pair> {
  const cluster =
    options.apiServerFlags === undefined
      ? SharedCluster.take(options.controllerManager === true ? 'managed' : 'bare')
      : await startCluster({ ...options, users: USERS });
  const problems: string[] = [];
  const server = await ApiServer.start({
    mode: options.controllerManager === true ? 'cluster' : 'envtest',
    ...(options.features && { features: options.features }),
    onProblem: (problem) => problems.push(String((problem.error as Error | undefined)?.stack ?? problem.error)),
  });
  const users = { ...USERS, admin: ['system:masters'] };
  const tokens = Object.fromEntries(
    Object.entries(users).map(([username, groups]) => [
      username,
      server.tokenFor({ username, groups: [...groups], uid: `uid-of-${username}` }),
    ]),
  );
  const ours = new Speaker({ name: 'embedded', url: server.url, ca: server.certificateAuthority ?? '', tokens });
  const theirs = new Speaker({
    name: 'kube-apiserver',
    url: cluster.url,
    ca: cluster.connection.ca,
    tokens: cluster.connection.tokens,
    hasWatchCache: true,
  });
  return {
    server,
    cluster,
    speakers: [ours, theirs],
    async stop() {
      ours.close();
      theirs.close();
      await server.close();
      await cluster.stop();
      // A bug that was answered with 500 on both sides would not show.
      if (problems.length > 0) throw new Error(`the embedded server reported:\n${problems.join('\n')}`);
    },
  };
}
