import { run } from '@keelson/runtime';
import { createEtcdGateway } from './client/gateway.js';
import { operator } from './etcd-operator.js';

await run(operator, { externals: { etcd: createEtcdGateway() } });
