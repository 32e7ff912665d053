import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { TestCluster } from '@keelson/testing';
import { CronJob } from '../../../examples/cronjob/cron-job.js';
import { operator as cronJobs } from '../../../examples/cronjob/cronjob-operator.js';
import { RUNTIME_DEFAULTS } from '../../../src/keelson/definition/index.js';
import { type AnsweredReview, REVIEW_CHANNEL } from '../../../src/runtime/admission/review-channel.js';
import { type HeardChange, WATCH_CHANNEL } from '../../../src/runtime/cache/watch-channel.js';
import { type Clock, systemClock } from '../../../src/runtime/clock/index.js';
import { start } from '../../../src/runtime/host/index.js';
import { OPERATOR_CHANNEL, type OperatorMessage } from '../../../src/runtime/host/operator-channel.js';
import { MemoryLog } from '../harness/running-controller.js';
import { websiteOperator } from '../reconcile/website.js';

const jobTemplate = { spec: { template: { spec: { containers: [{ name: 'a', image: 'busybox:1.37' }] } } } };
const cronJob = (name: string, minute: string) => ({
  metadata: { name, namespace: 'default' },
  spec: { schedule: { minute }, jobTemplate },
});

/** All messages of a channel, until it is left. */
function listen<T>(channel: string): { readonly messages: readonly T[]; leave(): void } {
  const messages: T[] = [];
  const hear = (message: unknown): void => void messages.push(message as T);
  subscribe(channel, hear);
  return { messages, leave: () => void unsubscribe(channel, hear) };
}

test('a tool in the process hears of changes, of answered webhooks and conversions, and can run an object again; no field of an object is told', async () => {
  const heard = listen<readonly HeardChange[]>(WATCH_CHANNEL);
  const reviews = listen<AnsweredReview>(REVIEW_CHANNEL);
  const operators = listen<OperatorMessage>(OPERATOR_CHANNEL);
  const cluster = await TestCluster.start({ operator: cronJobs });
  try {
    const running = await cluster.startOperator();
    await cluster.create(CronJob, cronJob('right', '*/5'));
    await expect(
      cluster.create(CronJob, {
        ...cronJob('wrong', '61'),
        metadata: { name: 'wrong', namespace: 'default', annotations: { a: 'hidden' } },
      }),
    ).rejects.toThrow();
    await cluster.get(CronJob.versions.v1, { name: 'right', namespace: 'default' });
    await cluster.settled();
    expect(heard.messages.flat()).toContainEqual({
      type: 'added',
      object: 'CronJob default/right',
      resourceVersion: expect.any(String),
      isInitial: false,
    });
    const told = reviews.messages.map(({ webhook, objects, operation, result }) => [webhook, ...objects, operation, result].join(' '));
    expect(told).toEqual(
      expect.arrayContaining([
        'defaulting.cronjobs.batch.example.com CronJob default/right CREATE changed',
        'validating.cronjobs.batch.example.com CronJob default/right CREATE allowed',
        'validating.cronjobs.batch.example.com CronJob default/wrong CREATE refused',
        'conversion CronJob default/right v2 → v1 converted',
      ]),
    );
    const refused = reviews.messages.find(({ result }) => result === 'refused');
    expect(refused).toMatchObject({ user: expect.any(String), isDryRun: false, message: expect.stringContaining('spec.schedule') });
    expect(JSON.stringify([heard.messages, reviews.messages])).not.toMatch(/hidden|busybox/);
    const [starting, started] = operators.messages;
    // A cluster gives its own clock, which stays.
    expect(starting?.phase === 'starting' && starting.useClock(systemClock)).toBe(false);
    const runs = () => running.journal({ object: 'default/right' });
    const before = runs().length;
    if (started?.phase === 'started') started.operator.enqueue(CronJob, 'default/right');
    await cluster.settled();
    expect(runs()[before]).toMatchObject({ triggers: [{ cause: 'enqueued' }] });
  } finally {
    await cluster.close();
    for (const channel of [heard, reviews, operators]) channel.leave();
  }
});

test('an operator without a clock of its own runs by the one that a tool hands in', async () => {
  const cluster = await TestCluster.start({ operator: websiteOperator });
  let timers = 0;
  const clock: Clock = {
    ...systemClock,
    schedule(delayMs, callback) {
      timers += 1;
      return systemClock.schedule(delayMs, callback);
    },
  };
  const taken: boolean[] = [];
  const offer = (message: unknown): void => {
    const said = message as OperatorMessage;
    if (said.phase === 'starting') taken.push(said.useClock(clock));
  };
  subscribe(OPERATOR_CHANNEL, offer);
  try {
    const settings = { ...RUNTIME_DEFAULTS, healthPort: 0, metrics: undefined };
    const { connection } = cluster.client;
    const running = await start(websiteOperator, { connection, log: new MemoryLog(), environment: {}, processMetrics: false, settings });
    // The time to drain is measured by it.
    await running.stop();
    expect([taken, timers > 0]).toEqual([[true], true]);
  } finally {
    unsubscribe(OPERATOR_CHANNEL, offer);
    await cluster.close();
  }
});
