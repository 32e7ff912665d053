import {
  defineController,
  defineCustomResource,
  defineOperator,
  k,
  merge,
  type Operator,
  own,
  type Resource,
  TerminalError,
} from 'keelson';
import { ConfigMap, Job, Secret } from 'keelson/kinds';
import { z } from 'zod';

export const Ring = defineCustomResource({
  group: 'rings.example.com',
  kind: 'Ring',
  versions: {
    v1: {
      spec: z.object({ size: k.int32().default(1), bucket: z.string().default('b') }),
      status: z.object({
        members: k.int32().optional(),
        lastBackup: z.string().optional(),
        observedGeneration: k.int64().optional(),
        conditions: k.conditions(),
      }),
    },
  },
});
export interface Ring extends Resource<typeof Ring> {}

/** What the two controllers did, and what a test has them do. */
export interface Play {
  readonly runs: { members: number; backups: number };
  /** Both run again and again. */
  isRestless: boolean;
  /** Name of the ConfigMap that `backups` wants, after the object's name. */
  backupChild: string;
  /** What `backups` throws. */
  fault: Error | undefined;
  /** Children that a handle of `members` sees. */
  seen: string[];
}

export const newPlay = (): Play => ({
  runs: { members: 0, backups: 0 },
  isRestless: false,
  backupChild: 'backup',
  fault: undefined,
  seen: [],
});

/** One controller holds Ready and all that the other does not name; the other has a share. Both have finalizers and children of the same kinds. */
export function ringOperator(play: Play, { neededForReady = false }: { readonly neededForReady?: boolean } = {}): Operator {
  const again = () => (play.isRestless ? { requeueAfter: 100 } : {});
  const job = (name: string) =>
    Job({ metadata: { name }, spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } } } });
  const members = defineController({
    name: 'members',
    for: Ring,
    owns: { configs: ConfigMap, jobs: own(Job, { existence: 'once' }), secrets: own(Secret, { verbs: ['create', 'delete'] }) },
    reconcile({ object, configs, secrets, done }) {
      play.runs.members += 1;
      const { name } = object.metadata;
      play.seen = [...configs.list(), ...secrets.list()].map(({ metadata }) => metadata.name).sort();
      return done({
        owned: { configs: [ConfigMap({ metadata: { name: `${name}-members` } })], jobs: [job(`${name}-members`)] },
        status: { members: object.spec.size },
        conditions: [{ type: 'Ready', status: true, reason: 'MembersRun' }],
        ...again(),
      });
    },
    finalize: () => undefined,
  });
  const backups = defineController({
    name: 'backups',
    for: Ring,
    owns: { configs: ConfigMap, jobs: own(Job, { existence: 'once' }), secrets: Secret },
    writesStatus: { summary: 'BackupsReady', neededForReady, conditions: ['BackupRecent'], fields: ['lastBackup'] },
    reconcile({ object, done }) {
      play.runs.backups += 1;
      if (play.fault !== undefined) throw play.fault;
      const { name } = object.metadata;
      if (object.spec.bucket === '') throw new TerminalError('spec.bucket: is empty');
      return done({
        owned: {
          configs: [ConfigMap({ metadata: { name: `${name}-${play.backupChild}` } })],
          jobs: [job(`${name}-backup`)],
          secrets: [Secret({ metadata: { name: `${name}-key` } })],
        },
        status: merge({ lastBackup: object.spec.bucket }),
        conditions: [{ type: 'BackupRecent', status: true, reason: 'Saved' }],
        ...again(),
      });
    },
    finalize: () => undefined,
  });
  return defineOperator({ name: 'ring-operator', controllers: [members, backups] });
}
