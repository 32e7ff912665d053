import { defineController, defineCustomResource, defineOperator } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { explore } from 'keelson/testing';
import { z } from 'zod';
import { ownSeeds } from './own-seeds.js';

const Note = defineCustomResource({
  group: 'correct.example.com',
  kind: 'Note',
  versions: { v1: { spec: z.object({ text: z.string() }) } },
});
const notes = defineController({
  name: 'notes',
  for: Note,
  owns: { configs: ConfigMap },
  reconcile: ({ object: { metadata, spec }, done }) =>
    done({ owned: { configs: [ConfigMap({ metadata: { name: metadata.name }, data: { text: spec.text } })] } }),
});
const note = (name: string) => Note({ metadata: { name }, spec: { text: 'x' } });

ownSeeds();

test('an operator whose children a user deletes is not accused: a watch that misses events ends with 410, and the operator lists', async () => {
  const { disturbances } = await explore(defineOperator({ name: 'note-operator', controllers: [notes] }), {
    story: ({ apply, remove }) => [apply(note('a')), remove(ConfigMap, 'a'), apply(note('b')), remove(ConfigMap, 'b')],
    faults: { kills: false, requests: false, leases: false, watches: false, mistakes: false },
    seeds: 60,
  });
  expect(disturbances['stand-still']).toBeGreaterThan(20);
});
