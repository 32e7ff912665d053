import { run, start } from '@keelson/runtime';
import { checkOnce, endpointOnce, explore, TestCluster, taskOnce } from '@keelson/testing';
import { expectTypeOf } from 'expect-type';
import {
  type Check,
  counter,
  defineController,
  defineCustomResource,
  defineOperator,
  external,
  type Operator,
  type PartContext,
  settings,
} from 'keelson';
import { z } from 'zod';

const Site = defineCustomResource({ group: 'a.example.com', kind: 'Site', versions: { v1: { spec: z.object({ size: z.number() }) } } });
interface Etcd {
  health(signal: AbortSignal): Promise<void>;
  members(): Promise<readonly { readonly id: string }[]>;
}
interface Vault {
  sign(): void;
}
const etcd = external<Etcd>();
const vault = external<Vault>();
const dns = external<{ find(): string }>();
const config = settings(z.object({ workers: z.number().default(1), image: z.string().optional() }));
const runs = counter('runs_total', 'Runs.', ['result']);
const controller = defineController({ name: 'site', for: Site, uses: { dns, config }, reconcile: ({ done }) => done() });

// Simplest: nothing is used, and nothing is asked for.
const plain = defineOperator({
  name: 'plain',
  customResources: [Site],
  checks: { up: ({ signal, log, now }) => log.info(`${signal.aborted} ${now().toISOString()}`) },
  endpoints: { page: { port: 8080, handle: (request) => new Response(request.url) } },
  tasks: { sweep: { every: '1h', run: ({ now }) => void now() }, once: { on: 'all', run: async () => {} } },
});
expectTypeOf(plain).toEqualTypeOf<Operator>();
void run(plain);

// Hardest: every sort of part, inline and hoisted declarations, methods and arrows, nested callbacks, with a controller.
const signing = { vault };
const apart = {
  uses: signing,
  every: '1h',
  run: ({ vault, signal }: PartContext<typeof signing>) => void (signal.aborted || vault.sign()),
} as const;
const all = defineOperator({
  name: 'all',
  controllers: [controller],
  checks: {
    plain: ({ signal }) => signal.throwIfAborted(),
    etcd: { uses: { etcd }, on: 'both', run: ({ etcd, signal }) => etcd.health(signal) },
    none: { on: 'liveness', run: ({ signal }) => signal.throwIfAborted() },
  },
  endpoints: {
    members: {
      port: 8080,
      uses: { etcd, config },
      async handle(request, { etcd, config, signal }) {
        expectTypeOf(etcd).toEqualTypeOf<Etcd>();
        expectTypeOf(config).toEqualTypeOf<{ readonly workers: number; readonly image?: string | undefined }>();
        const ids = (await etcd.members()).map((member) => member.id);
        return new Response(`${request.url} ${ids.length} ${signal.aborted}`);
      },
    },
    bare: { port: 8081, handle: () => new Response() },
  },
  tasks: {
    apart,
    inline: {
      uses: { vault: external<Vault>(), runs },
      run: ({ vault, runs }) => [vault.sign(), runs.inc({ result: 'ok' })].forEach(() => {}),
    },
    settled: {
      uses: { config },
      run({ config }) {
        expectTypeOf(config.workers).toEqualTypeOf<number>();
      },
    },
  },
});
expectTypeOf(all).toEqualTypeOf<Operator<{ readonly dns: { find(): string }; readonly etcd: Etcd; readonly vault: Vault }>>();

// Settings and metrics are nothing that a process must give.
const settled = defineOperator({
  name: 'b',
  customResources: [Site],
  checks: { a: { uses: { config, runs }, run: ({ config, runs }) => runs.inc({ result: `${config.workers}` }) } },
});
expectTypeOf(settled).toEqualTypeOf<Operator>();

declare const fakes: { dns: { find(): string }; etcd: Etcd; vault: Vault };
export async function starts(): Promise<void> {
  await run(all, { externals: fakes });
  await start(all, { externals: fakes });
  // @ts-expect-error: what a task alone uses is asked for
  await run(all, { externals: { dns: fakes.dns, etcd: fakes.etcd } });
  const cluster = await TestCluster.start({ operator: all });
  await cluster.startOperator({ externals: fakes });
  // @ts-expect-error: externals are missing
  await cluster.startOperator();
  await explore(all, { externals: () => fakes, story: () => [], values: [config.values({ workers: 2 })] });
  await taskOnce(all, 'inline', { vault: fakes.vault });
  await checkOnce(all, 'etcd', { etcd: fakes.etcd, now: new Date() });
  await checkOnce(all, 'plain');
  expectTypeOf(
    (await endpointOnce(all, 'members', new Request(''), { etcd: fakes.etcd, config: { workers: 2 } })).response,
  ).toEqualTypeOf<Response>();
  // @ts-expect-error: not that external
  await taskOnce(all, 'inline', { vault: fakes.etcd });
}

// Functions apart have the type of their context.
const uses = { etcd, config };
const check: Check<typeof uses> = ({ etcd, config, signal }) => {
  expectTypeOf(config.workers).toEqualTypeOf<number>();
  return etcd.health(signal);
};
expectTypeOf(defineOperator({ name: 'a', customResources: [Site], checks: { etcd: { uses, run: check } } })).toEqualTypeOf<
  Operator<{ readonly etcd: Etcd }>
>();
// @ts-expect-error: a check that uses something is not one that uses nothing
defineOperator({ name: 'a', customResources: [Site], checks: { etcd: check } });
