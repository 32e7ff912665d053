import { TestCluster } from '@keelson/testing';
import { defineController, defineOperator, external } from 'keelson';
import { MemoryLog } from '../harness/running-controller.js';
import { Website } from '../reconcile/website.js';

interface Store {
  size(name: string): Promise<number>;
  listen(): Promise<void>;
  copy(): Promise<void>;
}

let close: (() => Promise<void>) | undefined;
afterEach(() => close?.());

test('polled values, subscriptions and background work are counted by controller, and tasks by name', async () => {
  const store = external<Store>();
  const controller = defineController({
    name: 'website',
    for: Website,
    uses: { store },
    observes: ({ poll, subscribe }) => ({
      size: poll({ every: '1h', read: ({ object, store }) => store.size(object.metadata.name) }),
      pushes: subscribe(({ store }) => store.listen()),
    }),
    background: { copy: ({ store }) => store.copy() },
    reconcile({ object, copy, done }) {
      if (object.metadata.name === 'good') copy.start('once');
      return done();
    },
  });
  const refuse = (): never => {
    throw new Error('refused');
  };
  const operator = defineOperator({
    name: 'website-operator',
    controllers: [controller],
    tasks: { sweep: { on: 'all', run: () => undefined }, reap: { on: 'all', every: '1h', run: refuse } },
  });
  const cluster = await TestCluster.start({ operator });
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  close = () => {
    finish();
    return cluster.close();
  };
  const running = await cluster.startOperator({
    log: new MemoryLog(),
    settings: { metrics: { port: 0, secure: false } },
    externals: { store: { size: async (name) => (name === 'bad' ? refuse() : 3), listen: async () => refuse(), copy: () => finished } },
  });
  for (const name of ['good', 'bad']) await cluster.create(Website({ metadata: { name }, spec: {} }));
  /** Counts above 0 are `n`: what fails is tried again. */
  const series = async (): Promise<readonly string[]> => {
    const text = await (await fetch(`http://127.0.0.1:${running.ports.metrics}/metrics`)).text();
    const own = /^keelson_(?:poll|subscription|background|task_runs|task_duration_seconds_count|external_call_duration_seconds_count).*$/gm;
    return (text.match(own) ?? []).map((line) => line.replace(/ [1-9]\d*$/, ' n')).toSorted();
  };
  const lasting = [
    'keelson_external_call_duration_seconds_count{external="store",method="listen",result="error"} n',
    'keelson_external_call_duration_seconds_count{external="store",method="size",result="error"} n',
    'keelson_external_call_duration_seconds_count{external="store",method="size",result="ok"} n',
    'keelson_poll_reads_total{controller="website",source="size",result="error"} n',
    'keelson_poll_reads_total{controller="website",source="size",result="ok"} n',
    'keelson_subscription_failures_total{controller="website",source="pushes"} n',
    'keelson_task_duration_seconds_count{task="reap"} n',
    'keelson_task_duration_seconds_count{task="sweep"} n',
    'keelson_task_runs_total{task="reap",result="error"} n',
    'keelson_task_runs_total{task="reap",result="ok"} 0',
    'keelson_task_runs_total{task="sweep",result="error"} 0',
    'keelson_task_runs_total{task="sweep",result="ok"} n',
  ];
  const active = 'keelson_background_active{controller="website",name="copy"}';
  await cluster.until(async () => expect(await series()).toEqual([`${active} n`, ...lasting].toSorted()));
  finish();
  const ended = [
    `${active} 0`,
    'keelson_background_ended_total{controller="website",name="copy",phase="done"} n',
    'keelson_external_call_duration_seconds_count{external="store",method="copy",result="ok"} n',
  ];
  await cluster.until(async () => expect(await series()).toEqual([...ended, ...lasting].toSorted()));
});
