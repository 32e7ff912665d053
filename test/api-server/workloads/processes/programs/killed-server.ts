import { ApiServer } from '../../../../../src/api-server/server/index.js';
import { processes } from '../../../../../src/api-server/workloads/index.js';

/** A server with a Pod whose process ignores SIGTERM and has a child, until it is killed itself. */
void (async () => {
  const script = "trap '' TERM; echo ready; sleep 1000 & wait; sleep 1000";
  const containers = processes({ 'sh:1': () => ({ program: '/bin/sh', args: ['-c', script] }) });
  const server = await ApiServer.start({ protocol: 'http', workloads: { containers } });
  const answer = await fetch(`${server.url}/api/v1/namespaces/default/pods`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.tokenFor()}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: { automountServiceAccountToken: false, containers: [{ name: 'main', image: 'sh:1' }] },
    }),
  });
  process.stdout.write(`${answer.status}\n`);
})();
