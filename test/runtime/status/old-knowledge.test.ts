import { type InProcessCluster, TestCluster } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator } from 'keelson';
import { z } from 'zod';
import { type ApiClient, createClient } from '../../../src/runtime/client/index.js';
import { testsOfOldKnowledge } from './old-knowledge.js';

const Buoy = defineCustomResource({
  group: 'status.example.com',
  kind: 'Buoy',
  versions: { v1: { spec: z.object({ size: z.int().optional() }), status: z.object({ ready: z.int().optional() }) } },
});

const controller = defineController({ name: 'buoys', for: Buoy, reconcile: ({ done }) => done() });
const operator = defineOperator({ name: 'buoy-operator', controllers: [controller] });

let cluster: InProcessCluster;
let client: ApiClient;

beforeAll(async () => {
  cluster = await TestCluster.start({ operator });
  client = createClient({ connection: cluster.connection, fieldManager: 'test' });
});
afterAll(async () => {
  client.close();
  await cluster.close();
});

testsOfOldKnowledge(() => ({ client, kind: Buoy as never, namespace: 'default' }));
