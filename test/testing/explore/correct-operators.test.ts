import { gzipSync } from 'node:zlib';
import { explore } from '@keelson/testing';
import { defaulting, defineController, defineCustomResource, defineOperator, own, validating, watch } from 'keelson';
import { ConfigMap, Secret } from 'keelson/kinds';
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

test('an operator is not accused because its webhooks are not served before its caches are filled', async () => {
  const guarded = defineOperator({
    name: 'guarded-operator',
    controllers: [notes],
    webhooks: [
      defaulting(Note, ({ spec }) => {
        spec.text = spec.text.trim();
      }),
      validating(Note, { create: () => [] }, { watches: { others: Note } }),
    ],
  });
  await explore(guarded, { story: ({ apply }) => [apply(note('a'))], seeds: 5 });
});

const inBase64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');

test('an operator is not accused of the names of a run that its Secrets encode', async () => {
  const encoding = defineController({
    name: 'notes',
    for: Note,
    owns: { secrets: Secret },
    reconcile({ object: { metadata }, done }) {
      const { name, namespace = '', uid } = metadata;
      const registry = JSON.stringify({ auths: { [`r.${namespace}.svc`]: { auth: inBase64(`${namespace}:${uid}`) } } });
      const claims = Buffer.from(JSON.stringify({ sub: `system:serviceaccount:${namespace}:default` })).toString('base64url');
      const secret = Secret({
        metadata: { name },
        data: { endpoint: inBase64(`${name}.${namespace}.svc:5432`), packed: inBase64(gzipSync(`uid: ${uid}`)) },
        stringData: {
          url: `postgres://u:p@${name}.${namespace}.svc/db`,
          registry,
          token: `e30.${claims}.sig`,
          environment: `${namespace.toUpperCase().replaceAll('-', '_')}_SERVICE=1`,
        },
      });
      return done({ owned: { secrets: [secret] } });
    },
  });
  await explore(defineOperator({ name: 'note-operator', controllers: [encoding] }), { story: ({ apply }) => [apply(note('a'))], seeds: 3 });
});

test('a difference of Secrets is found, and their data are not printed', async () => {
  const forgetful = defineController({
    name: 'notes',
    for: Note,
    watches: { secrets: watch(Secret, { verbs: ['create'], enqueue: () => [] }) },
    writesStatus: false,
    async reconcile({ object: { metadata, spec }, secrets, done }) {
      const { name } = metadata;
      if (secrets.get(name) === undefined)
        await secrets.create(Secret({ metadata: { name }, stringData: { password: `of-${spec.text}` } }));
      return done();
    },
  });
  const exploring = explore(defineOperator({ name: 'note-operator', controllers: [forgetful] }), {
    story: ({ apply, change }) => [
      apply(note('a')),
      change(Note, 'a', { spec: { text: 'y' } }),
      change(Secret, 'a', { stringData: { more: 'of-z' } }),
    ],
    seeds: 200,
  });
  const error: unknown = await exploring.catch((thrown: unknown) => thrown);
  expect(String(error)).toMatch(/Secret a data\.password: <hidden, hash [\da-f]{12}>/);
  expect(String(error)).not.toMatch(new RegExp(`of-|${inBase64('of-y')}|${inBase64('of-z')}`));
});
