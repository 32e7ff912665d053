/** Keeps a server reachable whatever others do with its connections: {@link ConnectionGuard}. */
export { ConnectionGuard, type ConnectionGuardOptions } from './connection-guard.js';
