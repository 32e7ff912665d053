import { freePorts } from '../src/testing/cluster/control-plane/free-ports.js';

/** A free port of the loopback interface for a server that listens at it later, or twice: meanwhile no socket that asks for any port is given it. */
export async function keptPort(): Promise<number> {
  const [port] = await freePorts(1);
  if (port === undefined) throw new Error('one port was asked for, and none was given');
  return port;
}
