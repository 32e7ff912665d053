import { defineController, defineCustomResource, defineOperator, k, type Resource } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { z } from 'zod';
import { explorations } from './explorations.js';

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
explorations(defineOperator({ name: 'chain-operator', controllers: [stages, chains] }), {
  name: 'chain',
  story: ({ apply, change, remove }) => [
    apply(Chain({ metadata: { name: 'a' }, spec: { text: 'one', stages: 3 } })),
    apply(Chain({ metadata: { name: 'b' }, spec: { text: 'two' } })),
    change(Chain, 'a', { spec: { text: 'three' } }),
    remove(Stage, 'a-0'),
    change(Chain, 'a', { spec: { stages: 2 } }),
    remove(ConfigMap, 'a'),
    remove(Chain, 'b'),
  ],
});
