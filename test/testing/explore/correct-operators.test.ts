import { defineController, defineCustomResource, defineOperator, own } from 'keelson';
import { ConfigMap, Secret } from 'keelson/kinds';
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

const Account = defineCustomResource({
  group: 'correct.example.com',
  kind: 'Account',
  versions: { v1: { spec: z.object({}) } },
});
const accounts = defineController({
  name: 'accounts',
  for: Account,
  owns: { secrets: own(Secret, { verbs: ['create'] }) },
  async reconcile({ object: { metadata }, secrets, done }) {
    if (secrets.get(metadata.name) === undefined)
      await secrets.create(Secret({ metadata: { name: metadata.name }, stringData: { a: 'b' } }));
    return done();
  },
});

test('an operator whose watch breaks at the deletion of an object is not accused: until it watches again it makes children that are collected', async () => {
  const { disturbances } = await explore(defineOperator({ name: 'account-operator', controllers: [accounts] }), {
    story: ({ apply, remove }) => [apply(Account({ metadata: { name: 'a' }, spec: {} })), remove(Account, 'a')],
    faults: { kills: false, requests: false, leases: false, oldStates: false, mistakes: false },
    seeds: 30,
  });
  expect(disturbances['break-watch']).toBeGreaterThan(20);
});
