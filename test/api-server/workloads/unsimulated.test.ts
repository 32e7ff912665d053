import { container, Stage } from './stage.js';

test('says so, where it would be waited for in vain', async () => {
  const stage = await Stage.start();
  const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', containers: [container('a')] } } } };
  await stage.create({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'a', namespace: 'default' },
    spec: { schedule: '* * * * *', jobTemplate },
  });
  expect(stage.world.problems.splice(0).map(({ error }) => (error as Error).message)).toEqual([
    'CronJobs do not fire here: make the Job yourself, as kubectl create job --from=cronjob/… does',
  ]);
  await stage.close();
});
