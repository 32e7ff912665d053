import { defineController, defineCustomResource, defineOperator, k, type Resource } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { mergePatch } from 'keelson/testing';
import { z } from 'zod';
import type { Scenario } from '../scenario.js';
import { exists } from './exists.js';

const Stage = defineCustomResource({
  group: 'chain.example.com',
  kind: 'Stage',
  versions: {
    v1: {
      spec: z.object({ input: z.string() }),
      status: z.object({ output: z.string().optional(), observedGeneration: k.int64().optional(), conditions: k.conditions() }),
    },
  },
});
interface Stage extends Resource<typeof Stage> {}

const Chain = defineCustomResource({
  group: 'chain.example.com',
  kind: 'Chain',
  versions: {
    v1: {
      spec: z.object({ text: z.string(), stages: k.int32().min(1).max(5).default(2) }),
      status: z.object({ result: z.string().optional(), observedGeneration: k.int64().optional(), conditions: k.conditions() }),
    },
  },
});

/** What a Stage says belongs to the input that it has been given, or it says nothing yet. */
function outputOf({ metadata, status }: Stage): string | undefined {
  return status?.observedGeneration === metadata.generation ? status?.output : undefined;
}

const stages = defineController({
  name: 'stages',
  for: Stage,
  reconcile: ({ object, done }) => done({ status: { output: `<${object.spec.input}>` } }),
});

const chains = defineController({
  name: 'chains',
  for: Chain,
  owns: { stages: Stage, results: ConfigMap },
  reconcile({ object, stages: made, done }) {
    const { name } = object.metadata;
    const owned = [];
    let text: string | undefined = object.spec.text;
    for (let index = 0; index < object.spec.stages; index += 1) {
      const before = made.get(`${name}-${index}`);
      // Nothing is known of what comes in: what is there stays as it is, as long as it is wanted.
      if (text === undefined && before === undefined) break;
      const input: string = text ?? before?.spec.input ?? '';
      owned.push(Stage({ metadata: { name: `${name}-${index}` }, spec: { input } }));
      text = before !== undefined && before.spec.input === input && text !== undefined ? outputOf(before) : undefined;
    }
    const result = text === undefined ? [] : [ConfigMap({ metadata: { name }, data: { text } })];
    return done({
      owned: { stages: owned, results: result },
      status: text === undefined ? {} : { result: text },
      conditions: [{ type: 'Ready', status: text !== undefined, reason: text === undefined ? 'Waiting' : 'Complete' }],
    });
  },
});

/** Two controllers of one operator: each child is made from what the one before says of itself. */
export const chain: Scenario = {
  name: 'chain',
  kinds: [Chain, Stage, ConfigMap],
  perform: () => ({
    operator: defineOperator({ name: 'chain-operator', controllers: [stages, chains] }),
    // The last result goes and comes with every change of the text.
    mortal: ['a', 'b', 'b-0', 'b-1', 'b-2', 'a-0', 'a-1', 'a-2'],
    steps: [
      ({ client, namespace }) => client.create(Chain, { metadata: { namespace, name: 'a' }, spec: { text: 'one', stages: 3 } }),
      ({ client, namespace }) => client.create(Chain, { metadata: { namespace, name: 'b' }, spec: { text: 'two' } }),
      ({ client, namespace }) => client.patch(Chain, { namespace, name: 'a' }, mergePatch({ spec: { text: 'three' } })),
      async (stage) => {
        await exists(stage, Stage, 'a-0');
        await stage.client.delete(Stage, { namespace: stage.namespace, name: 'a-0' });
      },
      ({ client, namespace }) => client.patch(Chain, { namespace, name: 'a' }, mergePatch({ spec: { stages: 2 } })),
      ({ client, namespace }) => client.delete(Chain, { namespace, name: 'b' }),
    ],
  }),
};
