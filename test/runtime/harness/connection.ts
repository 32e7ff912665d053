import type { InProcessCluster } from '@keelson/testing';
import { type Connection, connectionOf } from '../../../src/runtime/http/index.js';
import { type Identity, userInfoOf } from '../../../src/testing/cluster/identity.js';

/**
 * A connection in the name of the operator, with exactly its rights, or of another identity. By a token, as in a Pod: a kubeconfig has a client certificate, whose key
 * takes a tenth of a second to make.
 */
export function connectionTo(cluster: InProcessCluster, identity: Identity = cluster.operator): Connection {
  const { server } = cluster;
  const token = server.tokenFor(userInfoOf(identity));
  return connectionOf({ server: server.url, ca: server.certificateAuthority, token, origin: 'the in-process API server' });
}
