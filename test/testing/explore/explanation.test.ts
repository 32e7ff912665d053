import { ExplorationError, explore } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, external, k } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { z } from 'zod';
import { ownSeeds } from './own-seeds.js';

const Note = defineCustomResource({
  group: 'explanation.example.com',
  kind: 'Note',
  versions: { v1: { spec: z.object({ text: z.string() }), status: z.object({ length: k.int32().optional() }) } },
});
const note = Note({ metadata: { name: 'a' }, spec: { text: 'x' } });

async function failureOf(exploration: Promise<unknown>): Promise<string> {
  const error: unknown = await exploration.catch((thrown: unknown) => thrown);
  if (!(error instanceof ExplorationError)) throw error;
  return error.message;
}

interface Scratch {
  put(name: string): Promise<void>;
  sweep(): Promise<void>;
}
const scratch = external<Scratch>();

class FakeScratch implements Scratch {
  readonly files = new Set<string>();
  async put(name: string): Promise<void> {
    this.files.add(name);
  }
  async sweep(): Promise<void> {
    this.files.clear();
  }
}

ownSeeds();

test('a leak that only the undisturbed run has is not told as the right end', async () => {
  const leaking = defineOperator({
    name: 'leaking-operator',
    controllers: [
      defineController({
        name: 'notes',
        for: Note,
        uses: { scratch },
        async reconcile({ object: { metadata, spec, status }, scratch, done }) {
          if (status?.length === undefined) await scratch.put(metadata.name);
          return done({ status: { length: spec.text.length } });
        },
      }),
    ],
    // It clears up when it begins, and at no other time.
    tasks: { sweep: { on: 'leader', uses: { scratch }, run: ({ scratch }) => scratch.sweep() } },
  });
  const text = await failureOf(
    explore(leaking, {
      story: ({ apply }) => [apply(note)],
      externals: () => ({ scratch: new FakeScratch() }),
      outside: ({ scratch }) => [...(scratch as FakeScratch).files],
      seeds: 100,
    }),
  );
  expect(text).toContain('\ndiffers (- undisturbed only, + disturbed only; either may be the right end):\n  - outside: [0]: "a"');
  expect(text).toContain('\nless is left outside disturbed: 0 lines, and 1 line undisturbed\n');
});

test('the signs of a comparison with objects that are made at once say which end they are of', async () => {
  const remembering = defineController({
    name: 'notes',
    for: Note,
    owns: { configs: ConfigMap },
    reconcile: ({ object: { spec, status }, done }) => done({ status: { length: Math.max(spec.text.length, status?.length ?? 0) } }),
  });
  const text = await failureOf(
    explore(defineOperator({ name: 'note-operator', controllers: [remembering] }), {
      story: ({ apply, change }) => [
        apply(note),
        change(Note, 'a', { spec: { text: 'long' } }),
        change(Note, 'a', { spec: { text: 'y' } }),
      ],
      seeds: 0,
    }),
  );
  expect(text).toContain(
    '\ndiffers (- at the end of the story only, + made at once only; either may be the right end):\n  - Note a status.length: 4\n  + Note a status.length: 1\n',
  );
});
