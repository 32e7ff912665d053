import { ApiServer } from '../../../../../src/api-server/server/index.js';
import { processes } from '../../../../../src/api-server/workloads/index.js';

/**
 * A server with a Pod whose process ignores SIGTERM and has a child, until it is killed itself. The first argument names the Pod. With `terminal` as the second, the process
 * is a shell on a terminal that ignores the hang-up, and the child a job in a process group of its own.
 */
void (async () => {
  const [, , name, kind] = process.argv;
  const tty = kind === 'terminal';
  const script = `${tty ? 'set -m; ' : ''}trap '' TERM HUP; sleep 1000 & echo ready; wait; sleep 1000`;
  const containers = processes({ 'sh:1': () => ({ program: tty ? 'bash' : '/bin/sh', args: ['-c', script] }) });
  const server = await ApiServer.start({ protocol: 'http', workloads: { containers } });
  const answer = await fetch(`${server.url}/api/v1/namespaces/default/pods`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.tokenFor()}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: { automountServiceAccountToken: false, containers: [{ name: 'main', image: 'sh:1', tty }] },
    }),
  });
  process.stdout.write(`${answer.status}\n`);
})();
