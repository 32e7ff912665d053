import { RunningController } from '../harness/running-controller.js';
import { Widget, widgetOperator } from './widget.js';

let running: RunningController;
afterEach(() => running.close());

async function start(fail: () => never): Promise<RunningController> {
  running = await RunningController.start(widgetOperator({ reconcile: fail }));
  return running;
}

const widget = (name: string) => Widget({ metadata: { name }, spec: {} });

test('H65: the same failure is one line of the log, however often it is tried; another one is another line', async () => {
  let [runs, cause] = [0, 'the disk is full'];
  const { cluster } = await start(() => {
    runs += 1;
    throw new Error(cause);
  });
  const said = (level: string): unknown[] => running.log.lines.filter((line) => line.level === level).map(({ message }) => message);
  await cluster.create(widget('a'));
  await cluster.until(() => expect(runs).toBeGreaterThan(3));
  expect(said('error')).toEqual(['reconciling failed']);
  expect(said('debug')).toContain('reconciling failed again');
  cause = 'the disk is gone';
  await cluster.until(() => expect(said('error')).toEqual(['reconciling failed', 'reconciling failed']));
});

test.each([403, 409, 500] as const)('the log says why a run failed, not that its status could not be written with %i', async (status) => {
  const { cluster } = await start(() => {
    throw new Error('the disk is full');
  });
  cluster.faults.fail({ verb: 'patch', kind: Widget, status, times: 100 });
  await cluster.create(widget('a'));
  await cluster.until(() => expect(running.log.texts).toContain('error reconciling failed'));
  const [line] = running.log.lines.filter(({ level }) => level === 'error');
  expect(line?.fields['error']).toMatchObject({ message: 'the disk is full' });
});

test('an object whose finalizer cannot be set is not reconciled: the run has failed, and comes again', async () => {
  let runs = 0;
  const reconcile: Parameters<typeof widgetOperator>[0]['reconcile'] = ({ done }) => {
    runs += 1;
    return done();
  };
  running = await RunningController.start(widgetOperator({ reconcile, finalize: () => undefined }));
  const { cluster } = running;
  cluster.faults.fail({ verb: 'patch', kind: Widget, status: 500, times: 100 });
  await cluster.create(widget('a'));
  await cluster.until(() => expect(running.log.texts).toContain('error reconciling failed'));
  expect(runs).toBe(0);
  cluster.faults.clear();
  await cluster.until(() => expect(runs).toBeGreaterThan(0));
  expect((await cluster.get(Widget, 'a')).metadata.finalizers).toHaveLength(1);
});
