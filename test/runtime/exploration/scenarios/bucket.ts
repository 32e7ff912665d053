import { defineController, defineCustomResource, defineOperator, k } from 'keelson';
import { Secret } from 'keelson/kinds';
import { mergePatch } from 'keelson/testing';
import { z } from 'zod';
import type { Scenario } from '../scenario.js';

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
  region: string;
  size: number;
}

/** A service outside of the cluster: it survives every crash, fails now and then, and remembers what it was asked for. */
class Cloud {
  readonly buckets = new Map<string, Remote>();
  readonly created: string[] = [];
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  async put(id: string, remote: Remote): Promise<void> {
    this.#mayFail();
    if (!this.buckets.has(id)) this.created.push(id);
    this.buckets.set(id, remote);
    // What has been done may be answered with an error all the same.
    this.#mayFail();
    await Promise.resolve();
  }

  async remove(id: string): Promise<void> {
    this.#mayFail();
    this.buckets.delete(id);
    this.#mayFail();
    await Promise.resolve();
  }

  #mayFail(): void {
    if (this.#random() < 0.1) throw new Error('the cloud is busy');
  }
}

/** State outside of the cluster, under a name that depends on the object alone (H49), and a finalizer that clears it away. */
export const bucket: Scenario = {
  name: 'bucket',
  kinds: [Bucket, Secret],
  perform(random) {
    const cloud = new Cloud(random);
    const names = new Map<string, string>();
    const controller = defineController({
      name: 'bucket',
      for: Bucket,
      owns: { secrets: Secret },
      async reconcile({ object, done }) {
        const { uid, name } = object.metadata;
        const { region, size } = object.spec;
        names.set(uid, name);
        await cloud.put(uid, { region, size });
        return done({
          owned: { secrets: [Secret({ metadata: { name: `${name}-key` }, stringData: { key: `key of ${name}` } })] },
          status: { id: `bucket of ${name}` },
        });
      },
      finalize: ({ object }) => cloud.remove(object.metadata.uid),
    });
    const named = (uid: string): string => names.get(uid) ?? uid;
    return {
      operator: defineOperator({ name: 'cloud-operator', controllers: [controller] }),
      mortal: ['b-key', 'c-key'],
      outside: () => ({
        buckets: Object.fromEntries(
          [...cloud.buckets].map(([uid, remote]) => [named(uid), remote] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
        ),
        twice: cloud.created.filter((uid, index) => cloud.created.indexOf(uid) !== index).map(named),
      }),
      steps: [
        ({ client, namespace }) => client.create(Bucket, { metadata: { namespace, name: 'a' }, spec: {} }),
        ({ client, namespace }) =>
          client.create(Bucket, { metadata: { namespace, name: 'b', finalizers: ['other.example.com/x'] }, spec: { size: 2 } }),
        ({ client, namespace }) =>
          client.patch(Bucket, { namespace, name: 'a' }, mergePatch({ spec: { size: 5 }, metadata: { labels: { a: 'b' } } })),
        async (stage) => {
          const key = { namespace: stage.namespace, name: 'b' };
          await stage.until('b is held', async () =>
            ((await stage.client.get(Bucket, key)).metadata.finalizers ?? []).includes('cloud.example.com/bucket'),
          );
          await stage.client.delete(Bucket, key);
        },
        async (stage) => {
          const key = { namespace: stage.namespace, name: 'b' };
          await stage.until(
            'b is let go',
            async () => !((await stage.client.get(Bucket, key)).metadata.finalizers ?? []).includes('cloud.example.com/bucket'),
          );
          await stage.client.patch(Bucket, key, mergePatch({ metadata: { finalizers: null } }));
        },
        ({ client, namespace }) => client.create(Bucket, { metadata: { namespace, name: 'd' }, spec: { region: 'there' } }),
        ({ client, namespace }) => client.patch(Bucket, { namespace, name: 'd' }, mergePatch({ spec: { region: 'elsewhere' } })),
      ],
    };
  },
};
