import type { Clock } from '../clock/index.js';
import { type ClientNodeKubeConfig, type Connection, clientNodeConnection, loadConnection } from '../http/index.js';
import type { StartOptions } from './options.js';

/** The given connection, in either form, or the one that is found. @throws ConnectionSettingsError if there is not one */
export async function connectionFor({ connection, environment }: StartOptions, clock: Clock): Promise<Connection> {
  if (connection === undefined) return loadConnection({ environment, clock });
  return isKubeConfig(connection) ? clientNodeConnection(connection) : connection;
}

function isKubeConfig(connection: Connection | ClientNodeKubeConfig): connection is ClientNodeKubeConfig {
  return 'applyToHTTPSOptions' in connection;
}
