import { mergePatch } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, external, k, type Resource } from 'keelson';
import { Secret } from 'keelson/kinds';
import { z } from 'zod';
import { explorations } from './explorations.js';

const Bucket = defineCustomResource({
  group: 'cloud.example.com',
  kind: 'Bucket',
  versions: {
    v1: {
      spec: z.object({ region: z.string().default('here'), size: k.int32().default(1) }),
      status: z.object({ id: z.string().optional(), observedGeneration: k.int64().optional(), conditions: k.conditions() }),
    },
  },
});

interface Remote {
  readonly name: string;
  readonly region: string;
  readonly size: number;
}
interface Cloud {
  put(id: string, remote: Remote): Promise<void>;
  remove(id: string): Promise<void>;
}
const cloud = external<Cloud>();

/** A service outside of the cluster. It survives every crash, and remembers what was created twice (H49). */
class FakeCloud implements Cloud {
  readonly #buckets = new Map<string, Remote>();
  readonly #created: (readonly [id: string, name: string])[] = [];

  async put(id: string, remote: Remote): Promise<void> {
    if (!this.#buckets.has(id)) this.#created.push([id, remote.name]);
    this.#buckets.set(id, remote);
  }

  async remove(id: string): Promise<void> {
    this.#buckets.delete(id);
  }

  /** Without ids, which are others in each run. */
  get remembered(): unknown {
    const ids = this.#created.map(([id]) => id);
    return {
      buckets: [...this.#buckets.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
      twice: this.#created.filter(([id], index) => ids.indexOf(id) !== index).map(([, name]) => name),
    };
  }
}

const isHeld = ({ metadata: { finalizers = [] } }: Resource<typeof Bucket>): boolean => finalizers.includes('cloud.example.com/bucket');
const buckets = defineController({
  name: 'bucket',
  for: Bucket,
  uses: { cloud },
  owns: { secrets: Secret },
  async reconcile({ object, cloud, done }) {
    const { uid, name } = object.metadata;
    const { region, size } = object.spec;
    await cloud.put(uid, { name, region, size });
    return done({
      owned: { secrets: [Secret({ metadata: { name: `${name}-key` }, stringData: { key: `key of ${name}` } })] },
      status: { id: `bucket of ${name}` },
    });
  },
  finalize: ({ object, cloud }) => cloud.remove(object.metadata.uid),
});
const operator = defineOperator({ name: 'cloud-operator', controllers: [buckets] });

/** State outside of the cluster, under a name that depends on the object alone, and a finalizer that clears it away. */
explorations(operator, {
  name: 'bucket',
  externals: () => ({ cloud: new FakeCloud() }),
  outside: ({ cloud }) => (cloud as FakeCloud).remembered,
  story: ({ apply, change, disturb, remove }) => [
    apply(Bucket({ metadata: { name: 'a' }, spec: {} })),
    apply(Bucket({ metadata: { name: 'b', finalizers: ['other.example.com/x'] }, spec: { size: 2 } })),
    change(Bucket, 'a', { spec: { size: 5 }, metadata: { labels: { a: 'b' } } }),
    disturb('b is deleted', async (stage) => {
      await stage.until('b is held', async () => isHeld(await stage.cluster.get(Bucket, 'b')));
      await stage.cluster.delete(Bucket, 'b');
    }),
    disturb('another controller lets b go', async (stage) => {
      await stage.until('b is let go', async () => !isHeld(await stage.cluster.get(Bucket, 'b')));
      await stage.cluster.patch(Bucket, 'b', mergePatch({ metadata: { finalizers: null } }));
    }),
    apply(Bucket({ metadata: { name: 'd' }, spec: { region: 'there' } })),
    change(Bucket, 'd', { spec: { region: 'elsewhere' } }),
    remove(Secret, 'd-key'),
  ],
});
