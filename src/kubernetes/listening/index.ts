/** Keeps a server reachable, and its memory bounded, whatever others do with its connections: {@link ConnectionGuard}, {@link inTurn}, {@link JoinedMessage}. */
export { ConnectionGuard, type ConnectionGuardOptions } from './connection-guard.js';
export { JoinedMessage } from './joined-message.js';
export { inTurn, SerialMessage } from './one-at-a-time.js';
export { Turns } from './turns.js';
