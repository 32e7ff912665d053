import { counter, defineOperator, external, settings } from 'keelson';
import { checkOnce, endpointOnce, taskOnce } from 'keelson/testing';
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
});
