import { TestCluster } from '@keelson/testing';
import { defineController, defineOperator, own } from 'keelson';
import { Job } from 'keelson/kinds';
import { keptLog } from '../outside/kept-log.js';
import { Website } from '../reconcile/website.js';

const job = (name: string) =>
  Job({ metadata: { name }, spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } } } });

test('an owner that goes during its first run is no error: nothing is left to remember', async () => {
  const during: { act?: () => Promise<void> } = {};
  const controller = defineController({
    name: 'website',
    for: Website,
    owns: { jobs: own(Job, { existence: 'once' }) },
    async reconcile({ object, done }) {
      await during.act?.();
      return done({ owned: { jobs: [job(object.metadata.name)] } });
    },
  });
  const cluster = await TestCluster.start({ operator: defineOperator({ name: 'website-operator', controllers: [controller] }) });
  const { log, at } = keptLog();
  await cluster.startOperator({ log });
  during.act = async () => {
    await cluster.delete(Website, 'a');
    delete during.act;
  };
  await cluster.create(Website, Website({ metadata: { name: 'a' }, spec: { replicas: 1 } }));
  await cluster.until(() => expect(cluster.requests.filter({ verb: 'create', kind: Job })).toHaveLength(1));
  await cluster.settled();
  expect([at('error'), at('warn')]).toEqual([[], []]);
  await cluster.close();
});
