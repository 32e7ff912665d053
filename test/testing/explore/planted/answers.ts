import { explore } from '@keelson/testing';
import { type Controller, defineController, defineCustomResource, defineOperator, external, k, TerminalError, watch } from 'keelson';
import { Deployment, PersistentVolumeClaim, Secret } from 'keelson/kinds';
import { z } from 'zod';
import type { Planted } from './planted.js';

const group = 'planted.example.com';

interface Databases {
  list(): Promise<string[]>;
  create(name: string): Promise<void>;
}
interface Needed {
  readonly databases: Databases;
}
const databases = external<Databases>();

class FakeDatabases implements Databases {
  readonly names = new Set<string>();

  async list(): Promise<string[]> {
    return [...this.names];
  }

  async create(name: string): Promise<void> {
    this.names.add(name);
  }
}

const Login = defineCustomResource({
  group,
  kind: 'Login',
  versions: { v1: { spec: z.object({ rights: z.string() }), status: z.object({ database: z.string().optional() }) } },
});

const secretOf = (name: string) => Secret({ metadata: { name }, stringData: { password: 'drawn once' } });

/** A database that is not among those that are listed is taken for one that is gone, and its password with it. */
const trusting = defineController({
  name: 'logins',
  for: Login,
  uses: { databases },
  owns: { secrets: Secret },
  async reconcile({ object: { metadata, status }, databases, done }) {
    const { name } = metadata;
    const known = await databases.list();
    if (status?.database !== undefined && !known.includes(name)) return done({ owned: { secrets: [] }, status: {}, requeueAfter: '1s' });
    await databases.create(name);
    return done({ owned: { secrets: [secretOf(name)] }, status: { database: name } });
  },
});

const doubting = defineController({
  name: 'logins',
  for: Login,
  uses: { databases },
  owns: { secrets: Secret },
  async reconcile({ object: { metadata }, databases, done }) {
    const { name } = metadata;
    const known = await databases.list();
    if (!known.includes(name)) await databases.create(name);
    return done({ owned: { secrets: [secretOf(name)] }, status: { database: name } });
  },
});

const exploreLogins = (controller: Controller<Needed>) => (seeds: number) =>
  explore(defineOperator({ name: 'login-operator', controllers: [controller] }), {
    story: ({ apply, change }) => [
      apply(Login({ metadata: { name: 'a' }, spec: { rights: 'read' } })),
      change(Login, 'a', { spec: { rights: 'write' } }),
    ],
    externals: () => ({ databases: new FakeDatabases() }),
    outside: ({ databases }) => [...(databases as FakeDatabases).names],
    seeds,
  });

export const emptyAnswer: Planted = {
  name: 'an empty answer taken for "gone"',
  bug: exploreLogins(trusting),
  twin: exploreLogins(doubting),
  says: [/Secret a was (?:deleted once, undisturbed never|made twice, undisturbed once)/, /databases\.list answers empty/],
};

const Web = defineCustomResource({
  group,
  kind: 'Web',
  versions: { v1: { spec: z.object({ replicas: k.int32() }), status: z.object({ conditions: k.conditions() }) } },
});

const deploymentOf = (name: string, replicas: number) =>
  Deployment({
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
    },
  });

/** What was wanted is told as what is. */
const boasting = defineController({
  name: 'webs',
  for: Web,
  owns: { deployments: Deployment },
  reconcile({ object: { metadata, spec }, done }) {
    return done({
      owned: { deployments: [deploymentOf(metadata.name, spec.replicas)] },
      conditions: [{ type: 'Ready', status: spec.replicas > 0, reason: 'Replicas' }],
    });
  },
});

const honest = defineController({
  name: 'webs',
  for: Web,
  owns: { deployments: Deployment },
  reconcile({ object: { metadata, spec }, deployments, done }) {
    const available = deployments.get(metadata.name)?.status?.availableReplicas ?? 0;
    return done({
      owned: { deployments: [deploymentOf(metadata.name, spec.replicas)] },
      conditions: [{ type: 'Ready', status: available >= spec.replicas, reason: 'Replicas' }],
    });
  },
});

const exploreWebs = (controller: Controller) => (seeds: number) =>
  explore(defineOperator({ name: 'web-operator', controllers: [controller] }), {
    story: ({ apply, setStatus }) => [
      apply(Web({ metadata: { name: 'a' }, spec: { replicas: 1 } })),
      setStatus(Deployment, 'a', { replicas: 1, availableReplicas: 1, readyReplicas: 1 }),
    ],
    seeds,
  });

export const readyFromSpec: Planted = {
  name: 'a status that says Ready from the spec',
  bug: exploreWebs(boasting),
  twin: exploreWebs(honest),
  says: [/the status of Web a is not true/, /condition Ready is True, and Deployment a does not work/],
};

const Archive = defineCustomResource({
  group,
  kind: 'Archive',
  versions: { v1: { spec: z.object({ policy: z.string() }), status: z.object({}) } },
});

const claims = watch(PersistentVolumeClaim, { verbs: ['create', 'delete'], enqueue: ({ metadata: { name } }) => [{ name: name ?? '' }] });
const claimOf = (name: string) =>
  PersistentVolumeClaim({ metadata: { name }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } });
const archiveParts = { name: 'archives', for: Archive, watches: { claims } } as const;

/** Whatever is not Retain deletes. */
const defaulting = defineController({
  ...archiveParts,
  async reconcile({ object: { metadata, spec }, claims, done }) {
    const found = claims.get(metadata.name);
    switch (spec.policy) {
      case 'Retain':
        if (found === undefined) await claims.create(claimOf(metadata.name));
        break;
      default:
        if (found !== undefined) await claims.delete(found);
    }
    return done();
  },
});

const strict = defineController({
  ...archiveParts,
  async reconcile({ object: { metadata, spec }, claims, done }) {
    const found = claims.get(metadata.name);
    switch (spec.policy) {
      case 'Retain':
        if (found === undefined) await claims.create(claimOf(metadata.name));
        break;
      case 'Delete':
        if (found !== undefined) await claims.delete(found);
        break;
      default:
        throw new TerminalError(`spec.policy: ${spec.policy} is not known; Retain and Delete are`);
    }
    return done();
  },
});

const exploreArchives = (controller: Controller) => (seeds: number) =>
  explore(defineOperator({ name: 'archive-operator', controllers: [controller] }), {
    story: ({ apply, change }) => [
      apply(Archive({ metadata: { name: 'a' }, spec: { policy: 'Retain' } })),
      change(Archive, 'a', { metadata: { labels: { tier: 'cold' } } }),
    ],
    seeds,
  });

export const unknownValue: Planted = {
  name: 'an unknown value of an enumeration that falls to the default',
  bug: exploreArchives(defaulting),
  twin: exploreArchives(strict),
  says: [/PersistentVolumeClaim a was deleted once, undisturbed never/, /spec\.policy of Archive a is "Unheardof" for a while/],
};
