import { checkOnce, endpointOnce, taskOnce } from '@keelson/testing';
import { counter, defineOperator, external, type Logger, settings } from 'keelson';
import { z } from 'zod';
import { Website } from '../reconcile/website';

const etcd = external<{ health(): Promise<string>; defrag(): Promise<void> }>();
const config = settings(z.object({ zone: z.string(), quorum: z.number().default(2) }));
const runs = counter('etcd_defrags_total', 'Defragmentations.', ['zone']);
const operator = defineOperator({
  name: 'etcd-operator',
  customResources: [Website],
  checks: {
    quorum: {
      uses: { etcd },
      run: async ({ etcd }) => {
        if ((await etcd.health()) !== 'true') throw new Error('no quorum');
      },
    },
  },
  endpoints: {
    members: {
      port: 19_999,
      uses: { config },
      handle: (request, { config, now }) => new Response(`${request.url} ${config.zone} ${config.quorum} ${now().getFullYear()}`),
    },
  },
  tasks: {
    defrag: {
      uses: { etcd, config, runs },
      run: async ({ etcd, config: { zone }, runs }) => {
        await etcd.defrag();
        runs.inc({ zone });
      },
    },
  },
});
const fake = { health: async () => 'true', defrag: async () => undefined };

test('parts are called with fakes, settings and recorded metrics', async () => {
  expect(await checkOnce(operator, 'quorum', { etcd: fake })).toEqual({ metrics: [] });
  await expect(checkOnce(operator, 'quorum', { etcd: { ...fake, health: async () => 'false' } })).rejects.toThrow('no quorum');
  expect(await taskOnce(operator, 'defrag', { etcd: fake, config: { zone: 'a' } })).toEqual({
    metrics: [{ handle: 'runs', verb: 'inc', labels: { zone: 'a' } }],
  });
  const { response } = await endpointOnce(operator, 'members', new Request('http://localhost/a'), { config: { zone: 'b' } });
  expect(await response.text()).toBe('http://localhost/a b 2 2030');
});

test('a name that is not there, a fake that is missing and a setting that is refused are named', async () => {
  await expect(taskOnce(operator, 'reaper')).rejects.toThrow("operator etcd-operator has no task 'reaper'; it has defrag");
  await expect(checkOnce(operator, 'quorum')).rejects.toThrow(
    "check quorum uses the external 'etcd'; give a fake of it: checkOnce(operator, 'quorum', { etcd: fake })",
  );
  await expect(checkOnce(operator, 'quorum', { etcd: fake, config: {} })).rejects.toThrow(
    "check quorum does not use 'config'; it uses etcd",
  );
  await expect(endpointOnce(operator, 'members', new Request('http://localhost/'))).rejects.toThrow("uses the settings 'config': zone: ");
  await expect(taskOnce(operator, 'defrag', { etcd: fake, zone: 'a' } as never)).rejects.toThrow(
    "task defrag does not use 'zone'; it uses etcd, config, runs",
  );
});

test('all that an operator has is named where a name is not there', async () => {
  const run = (): void => undefined;
  const two = defineOperator({ name: 'two', customResources: [Website], tasks: { reap: { run }, defrag: { run } } });
  await expect(taskOnce(two, 'x')).rejects.toThrow("operator two has no task 'x'; it has reap, defrag");
  await expect(checkOnce(two, 'x')).rejects.toThrow("operator two has no check 'x'; it has none");
  await expect(endpointOnce(two, 'x', new Request('http://localhost/'))).rejects.toThrow("operator two has no endpoint 'x'; it has none");
  await expect(taskOnce(two, 'reap', { etcd: fake } as never)).rejects.toThrow("task reap does not use 'etcd'; it uses nothing");
});

test('a fake that is missing is asked for by the call that needs it', async () => {
  await expect(taskOnce(operator, 'defrag', { config: { zone: 'a' } })).rejects.toThrow("taskOnce(operator, 'defrag', { etcd: fake })");
  const asking = defineOperator({
    name: 'asking',
    customResources: [Website],
    endpoints: { members: { port: 19_998, uses: { etcd }, handle: () => new Response('') } },
  });
  await expect(endpointOnce(asking, 'members', new Request('http://localhost/'))).rejects.toThrow(
    "endpointOnce(operator, 'members', request, { etcd: fake })",
  );
});

test('a part has the time, the signal and the log that the test gives, and its own otherwise', async () => {
  const seen: unknown[] = [];
  const run = ({ now, signal, log }: { now(): Date; readonly signal: AbortSignal; readonly log: Logger }): void => {
    log.debug('a');
    log.info('b');
    log.warn('c');
    log.error('d');
    seen.push(now(), signal.aborted);
  };
  const told = defineOperator({ name: 'told', customResources: [Website], tasks: { tell: { run } } });
  await taskOnce(told, 'tell');
  const lines: string[] = [];
  const line = (text: string): void => void lines.push(text);
  const log: Logger = { debug: line, info: line, warn: line, error: line };
  const now = new Date('2031-02-03T00:00:00Z');
  await taskOnce(told, 'tell', { now, signal: AbortSignal.abort(), log });
  expect(seen).toEqual([new Date('2030-01-01T00:00:00Z'), false, now, true]);
  expect(lines).toEqual(['a', 'b', 'c', 'd']);
});

test('an endpoint must return a response', async () => {
  const wrong = defineOperator({
    name: 'wrong',
    customResources: [Website],
    endpoints: { members: { port: 19_997, handle: (() => 'text') as never } },
  });
  await expect(endpointOnce(wrong, 'members', new Request('http://localhost/'))).rejects.toThrow(
    'endpoint members must return a Response, got string',
  );
});
