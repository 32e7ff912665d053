import { ExplorationSetupError, explore } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator } from 'keelson';
import { ConfigMap, Secret } from 'keelson/kinds';
import { z } from 'zod';
import { ownSeeds } from './own-seeds.js';

const Note = defineCustomResource({
  group: 'releases.example.com',
  kind: 'Note',
  versions: { v1: { spec: z.object({ text: z.string() }) } },
});
const withConfigs = defineController({
  name: 'notes',
  for: Note,
  owns: { configs: ConfigMap, secrets: Secret },
  reconcile: ({ object: { metadata, spec }, done }) =>
    done({ owned: { configs: [ConfigMap({ metadata: { name: metadata.name }, data: { text: spec.text } })], secrets: [] } }),
});
const withSecrets = defineController({
  name: 'notes',
  for: Note,
  owns: { configs: ConfigMap, secrets: Secret },
  reconcile: ({ object: { metadata, spec }, done }) =>
    done({ owned: { configs: [], secrets: [Secret({ metadata: { name: metadata.name }, stringData: { text: spec.text } })] } }),
});
const before = defineOperator({ name: 'note-operator', controllers: [withConfigs] });
const after = defineOperator({ name: 'note-operator', controllers: [withSecrets] });

ownSeeds();

// #region releases
test('a release that prunes what the one before it made is clean, and each release has its own rights', async () => {
  const { disturbances } = await explore(
    { releases: [before, after] },
    {
      story: ({ apply, change, remove }) => [
        apply(Note({ metadata: { name: 'a' }, spec: { text: 'x' } })),
        change(Note, 'a', { spec: { text: 'y' } }),
        remove(Note, 'a'),
        apply(Note({ metadata: { name: 'b' }, spec: { text: 'z' } })),
      ],
      faults: { mistakes: false },
      seeds: 30,
    },
  );
  expect(disturbances['release']).toBeGreaterThan(30);
});
// #endregion

test('a release that comes back without the right to a child of the newer one leaves it, which is found', async () => {
  const without = defineController({
    name: 'notes',
    for: Note,
    owns: { configs: ConfigMap },
    reconcile: ({ object: { metadata, spec }, done }) =>
      done({ owned: { configs: [ConfigMap({ metadata: { name: metadata.name }, data: { text: spec.text } })] } }),
  });
  const exploring = explore(
    { releases: [defineOperator({ name: 'note-operator', controllers: [without] }), after] },
    { story: ({ apply }) => [apply(Note({ metadata: { name: 'a' }, spec: { text: 'x' } }))], seeds: 60 },
  );
  await expect(exploring).rejects.toThrow(/release 1 takes over[\s\S]*\+ Secret a/);
});

test.each([
  [{ releases: [before] }, 'releases: it has 1; give the older and the newer one, as [before, after]'],
  [
    { releases: [defineOperator({ name: 'memo-operator', controllers: [withConfigs] }), after] },
    'releases: they have the names memo-operator, note-operator; releases of one operator have one name',
  ],
])('releases that are not of one operator are refused', async (releases, message) => {
  const exploring = explore(releases as never, { story: ({ apply }) => [apply(Note({ metadata: { name: 'a' }, spec: { text: 'x' } }))] });
  await expect(exploring).rejects.toThrow(ExplorationSetupError);
  await expect(exploring).rejects.toThrow(message);
});
