import { isForbidden } from '@keelson/runtime';
import { explore } from '@keelson/testing';
import { type Controller, defineController, defineCustomResource, defineOperator, k, own } from 'keelson';
import { ConfigMap, Secret } from 'keelson/kinds';
import { z } from 'zod';
import type { Planted } from './planted.js';

const Vault = defineCustomResource({
  group: 'refusals.example.com',
  kind: 'Vault',
  versions: {
    v1: { spec: z.object({ text: z.string() }), status: z.object({ failed: z.boolean().optional(), keys: k.int32().optional() }) },
  },
});
const secret = (name: string) => Secret({ metadata: { name }, stringData: { text: 'x' } });
const config = (name: string, text: string) => ConfigMap({ metadata: { name }, data: { text } });
const parts = {
  name: 'vaults',
  for: Vault,
  owns: { secrets: own(Secret, { verbs: ['create', 'delete'] }), configs: own(ConfigMap, { verbs: ['create', 'delete', 'patch'] }) },
} as const;

interface Parts {
  readonly bug: Controller;
  readonly twin: Controller;
  readonly says: readonly RegExp[];
}

function planted(name: string, { bug, twin, says }: Parts): Planted {
  const run = (controller: Controller) => (seeds: number) =>
    explore(defineOperator({ name: 'vault-operator', controllers: [controller] }), {
      story: ({ apply, change }) => [
        apply(Vault({ metadata: { name: 'a' }, spec: { text: 'one' } })),
        change(Vault, 'a', { spec: { text: 'two' } }),
        apply(Vault({ metadata: { name: 'b' }, spec: { text: 'three' } })),
      ],
      faults: { lastingRefusals: true, kills: false, requests: false, oldStates: false, watches: false, leases: false, mistakes: false },
      judges: { fresh: false },
      seeds,
      name,
    });
  return { name, bug: run(bug), twin: run(twin), says };
}

const swallowing = (rethrows: boolean) =>
  defineController({
    ...parts,
    writesStatus: false,
    async reconcile({ object: { metadata }, secrets, done }) {
      try {
        if (secrets.get(metadata.name) === undefined) await secrets.create(secret(metadata.name));
      } catch (error) {
        if (rethrows || !isForbidden(error)) throw error;
      }
      return done();
    },
  });

export const swallowed: Planted = planted('a refusal that is swallowed', {
  bug: swallowing(false),
  twin: swallowing(true),
  says: [/every write "create secrets" is refused/, /- Secret \w/],
});

const failing = (forever: boolean) =>
  defineController({
    ...parts,
    async reconcile({ object: { metadata, status }, configs, done }) {
      if (forever && status?.failed === true) return done({ status: { failed: true } });
      try {
        if (configs.get(metadata.name) === undefined) await configs.create(config(metadata.name, 'x'));
      } catch (error) {
        if (!isForbidden(error)) throw error;
        return done({ status: { failed: true }, requeueAfter: '10s' });
      }
      return done({ status: {} });
    },
  });

export const failedForever: Planted = planted('a status Failed that no run leaves', {
  bug: failing(true),
  twin: failing(false),
  says: [/\+ Vault \w status\.failed: true/, /every write "create configmaps" is refused/],
});

const replacing = (isSafe: boolean) =>
  defineController({
    ...parts,
    writesStatus: false,
    async reconcile({ object: { metadata, spec }, configs, done }) {
      const found = configs.get(metadata.name);
      const isOld = found !== undefined && found.data?.['text'] !== spec.text;
      if (isOld && isSafe) await configs.patch(found, { data: { text: spec.text } });
      try {
        if (isOld && !isSafe) await configs.delete(found);
        if (found === undefined) await configs.create(config(metadata.name, spec.text));
      } catch (error) {
        // The old one is taken to be good enough.
        if (isSafe || !isForbidden(error)) throw error;
      }
      return done();
    },
  });

export const halfReplaced: Planted = planted('a child that is deleted, and whose successor is refused', {
  bug: replacing(false),
  twin: replacing(true),
  says: [/every write "(?:create|delete) configmaps" is refused/, /ConfigMap \w/],
});

const counting = (counts: boolean) => {
  const tries = new Map<string, number>();
  return defineController({
    ...parts,
    writesStatus: false,
    async reconcile({ object: { metadata }, secrets, done }) {
      const tried = tries.get(metadata.uid) ?? 0;
      if (secrets.get(metadata.name) !== undefined || (counts && tried >= 4)) return done();
      tries.set(metadata.uid, tried + 1);
      await secrets.create(secret(metadata.name));
      return done();
    },
  });
};

export const triesRunOut: Planted = planted('tries that run out', {
  bug: counting(true),
  twin: counting(false),
  says: [/every write "create secrets" is refused/, /- Secret \w/],
});

const remembering = (asks: boolean) => {
  const made = new Set<string>();
  return defineController({
    ...parts,
    writesStatus: false,
    async reconcile({ object: { metadata }, secrets, done }) {
      const isThere = asks ? secrets.get(metadata.name) !== undefined : made.has(metadata.uid);
      // Before the answer: it is taken to be yes.
      made.add(metadata.uid);
      if (!isThere) await secrets.create(secret(metadata.name));
      return done();
    },
  });
};

export const takenForDone: Planted = planted('a write that is taken for done before its answer', {
  bug: remembering(false),
  twin: remembering(true),
  says: [/every write "create secrets" is refused/, /- Secret \w/],
});
