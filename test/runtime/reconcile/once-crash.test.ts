import { defineController, defineOperator, own } from 'keelson';
import { Job } from 'keelson/kinds';
import { RunningController } from '../harness/running-controller.js';
import { Widget } from './widget.js';

const controller = defineController({
  name: 'widget',
  for: Widget,
  owns: { jobs: own(Job, { existence: 'once' }) },
  writesStatus: false,
  reconcile: ({ object, done }) =>
    done({
      owned: {
        jobs: [
          Job({
            metadata: { name: object.metadata.name },
            spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } } },
          }),
        ],
      },
    }),
});

test("H42 a process that is killed between the creation of a child with existence: 'once' and its record makes it once", async () => {
  const running = await RunningController.start(defineOperator({ name: 'widget-operator', controllers: [controller] }));
  const { cluster } = running;
  const creations = (): number =>
    cluster.requests.all.filter(({ verb, resource, code }) => verb === 'create' && resource === 'jobs' && code === 201).length;
  const record = async (): Promise<string | undefined> =>
    (await cluster.get(Widget, 'a')).metadata.annotations?.['made.keelson.dev/widget'];
  try {
    // The record is a patch of the owner: none of them arrives.
    cluster.faults.fail({ verb: 'patch', kind: Widget, status: 503, times: Number.POSITIVE_INFINITY });
    await cluster.create(Widget({ metadata: { name: 'a' }, spec: {} }));
    await cluster.until(() => cluster.requests.all.some(({ verb, resource }) => verb === 'patch' && resource === 'widgets'));
    await running.crash();
    expect([creations(), await record()]).toEqual([1, undefined]);

    cluster.faults.clear();
    await running.begin();
    await cluster.until(async () => (await record()) === '{"jobs":["a"]}');
    await running.settled();
    expect(creations()).toBe(1);

    // From now on the record alone says it.
    await running.crash();
    await cluster.delete(Job, 'a');
    await cluster.until(Job, 'a', 'absent');
    await running.begin();
    await running.settled();
    expect([creations(), await record()]).toEqual([1, '{"jobs":["a"]}']);
  } finally {
    await running.close();
  }
});
