import { run } from '@keelson/runtime';
import { type Clock, type InProcessCluster, TestCluster } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, external, settings } from 'keelson';
import { z } from 'zod';

interface Billing {
  plan(name: string): string;
}
const Shop = defineCustomResource({ group: 'types.example.com', kind: 'Shop', versions: { v1: { spec: z.object({}) } } });
const config = settings(z.object({ url: z.string().default('x'), retries: z.number().default(2) }));
const billing = external<Billing>({ settings: config });
const operator = defineOperator({
  name: 'shop-operator',
  controllers: [defineController({ name: 'shops', for: Shop, uses: { billing }, reconcile: ({ done }) => done() })],
});
declare function clientOf(url: string, retries: number): Billing;

void run(operator, { externals: ({ settings: of }) => ({ billing: clientOf(of(config).url, of(config).retries) }) });
void run(operator, { externals: { billing: clientOf('x', 1) } });
// @ts-expect-error a field that the settings lack
void run(operator, { externals: ({ settings: of }) => ({ billing: clientOf(of(config).ulr, 1) }) });
// @ts-expect-error an external is missing
void run(operator, { externals: () => ({}) });
// @ts-expect-error not settings
void run(operator, { externals: ({ settings: of }) => ({ billing: clientOf(of({ url: 'x' }).url, 1) }) });

const cluster = await TestCluster.start({ operator });
await cluster.startOperator({ externals: { billing: clientOf('x', 1) } });
await cluster.startOperator({ externals: ({ settings: of }) => ({ billing: clientOf(of(config).url, 1) }) });
// Issue 24: a variable outside of the test has the type of its cluster.
const held: InProcessCluster<Clock, { readonly billing: Billing }> = cluster;
void held;
