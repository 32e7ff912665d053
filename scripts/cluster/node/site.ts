import { join } from 'node:path';
import { cacheRoot } from '../binaries.js';

/** Where one cluster lives: every address, path and kernel name of it follows from its slot, so that clusters of different slots can run at once. */
export interface Site {
  readonly slot: number;
  /** Files of the running cluster; they go with it. */
  readonly directory: string;
  /** Stays: the lock of the slot, and the image store of containerd. */
  readonly home: string;
  readonly imageStore: string;
  /** The end of the veth pair on the machine. */
  readonly link: string;
  readonly machineAddress: string;
  readonly nodeAddress: string;
  readonly nodeRange: string;
  readonly podRange: string;
  readonly serviceRange: string;
  /** The Service `kubernetes`: the first address of the range. */
  readonly apiServiceAddress: string;
  readonly dnsAddress: string;
  /** Below each cgroup hierarchy. */
  readonly cgroup: string;
}

/** Clusters at once on one machine. */
export const SLOTS = 8;
export const NODE_NAME = 'keelson-node';
export const API_SERVER_PORT = 6443;

export function siteOf(slot: number, environment: NodeJS.ProcessEnv = process.env): Site {
  const home = join(cacheRoot(environment), 'node', `${slot}`);
  return {
    slot,
    home,
    directory: join(home, 'run'),
    imageStore: join(home, 'images'),
    link: `keelson${slot}`,
    machineAddress: `10.89.${slot}.1`,
    nodeAddress: `10.89.${slot}.2`,
    nodeRange: `10.89.${slot}.0/24`,
    podRange: `10.88.${slot}.0/24`,
    serviceRange: `10.96.${slot}.0/24`,
    apiServiceAddress: `10.96.${slot}.1`,
    dnsAddress: `10.96.${slot}.10`,
    cgroup: `keelson-node-${slot}`,
  };
}

export const urlOf = ({ nodeAddress }: Site): string => `https://${nodeAddress}:${API_SERVER_PORT}`;
export const auditFileOf = ({ directory }: Site): string => join(directory, 'audit.log');
