import { readFileSync } from 'node:fs';

/** Most characters that are taken over: lists that block advertisements have millions, and each Pod has a copy. */
const MOST = 64 * 1024;
const FILE = '/etc/hosts';

/** The names that this machine has in its hosts file, as long as the file is not very large. */
export function machineHosts(): string {
  const text = readFileSync(FILE, 'utf8');
  return text.length <= MOST ? text : text.slice(0, text.lastIndexOf('\n', MOST));
}
