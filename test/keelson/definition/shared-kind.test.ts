import { defineController, defineCustomResource, defineOperator, k, own, type StatusShare } from 'keelson';
import { ConfigMap, Deployment, Job, Pod } from 'keelson/kinds';
import { z } from 'zod';

const ring = (status: z.ZodObject) =>
  defineCustomResource({
    group: 'etcd.example.com',
    kind: 'Ring',
    versions: { v1: { spec: z.object({ size: k.int32().default(1) }), status } },
  });
const Ring = ring(
  z.object({
    members: k.int32().optional(),
    lastBackup: z.string().optional(),
    conditions: k.conditions(),
    observedGeneration: k.int64().optional(),
  }),
);

type Options = Readonly<Record<string, unknown>>;
const controller = (name: string, options: Options = {}, kind: unknown = Ring) =>
  defineController({ name, for: kind, reconcile: ({ done }: { done: () => unknown }) => done(), ...options } as never);
const sharing = (name: string, writesStatus: StatusShare | boolean, kind?: unknown) => controller(name, { writesStatus }, kind);
const operator = (...controllers: readonly unknown[]) => defineOperator({ name: 'ring-operator', controllers: controllers as never });
const problemsOf = (make: () => unknown): string[] => {
  try {
    make();
    return [];
  } catch (error) {
    return (error as { problems: readonly { path: string; message: string }[] }).problems.map(({ path, message }) => `${path}: ${message}`);
  }
};

test('a controller that writes the status and others that name their shares are an operator', () => {
  const { controllers } = operator(
    controller('members'),
    sharing('backups', { summary: 'BackupsReady', neededForReady: true, conditions: ['BackupRecent'], fields: ['lastBackup'] }),
    sharing('quiet', false),
  );
  expect(controllers.map(({ writesStatus, statusShare }) => [writesStatus, statusShare])).toEqual([
    [true, undefined],
    [true, { summary: 'BackupsReady', neededForReady: true, conditions: ['BackupRecent'], fields: ['lastBackup'] }],
    [false, undefined],
  ]);
});

test('two that write the whole status of a kind are refused, with the share that one of them could name', () => {
  expect(problemsOf(() => operator(controller('members'), controller('backup-store')))).toEqual([
    "controllers[1].writesStatus: is the whole status of Ring, as that of controllers[0] ('members') is: each would undo what the other says; " +
      "at one of them name its share: writesStatus: { summary: 'BackupStoreReady', conditions: [...], fields: [...] }, or write false",
  ]);
});

test.each<[string, StatusShare | boolean, StatusShare, string]>([
  [
    'the same summary',
    { summary: 'BackupsReady' },
    { summary: 'BackupsReady' },
    "controllers[1].writesStatus.summary: the condition 'BackupsReady' is that of controllers[0] ('a') too; leave it to one of them",
  ],
  [
    'Ready, which is part of the whole status',
    true,
    { summary: 'Ready' },
    "controllers[1].writesStatus.summary: the condition 'Ready' is that of controllers[0] ('a') too; give one of them a summary of its own, for example 'BReady'",
  ],
  [
    'the same condition',
    { conditions: ['Saved'] },
    { summary: 'Saved' },
    "controllers[1].writesStatus.summary: the condition 'Saved' is that of controllers[0] ('a') too; leave it to one of them",
  ],
  [
    'the same field',
    { fields: ['members', 'lastBackup'] },
    { fields: ['lastBackup'] },
    "controllers[1].writesStatus.fields[0]: the field 'lastBackup' is that of controllers[0] ('a') too; leave it to one of them",
  ],
  [
    'a Ready that nobody writes',
    { conditions: ['Saved'] },
    { summary: 'BackupsReady', neededForReady: true },
    "controllers[1].writesStatus.neededForReady: is set, but no controller for Ring writes Ready; leave it out, or give another one summary: 'Ready'",
  ],
])('shares are refused that name %s', (_, first, second, problem) => {
  expect(problemsOf(() => operator(sharing('a', first), sharing('b', second)))).toEqual([problem]);
});

test('the same names for another kind, or for another version of a kind that has several, are told apart', () => {
  const Other = defineCustomResource({
    group: 'other.example.com',
    kind: 'Ring',
    versions: { v1: { spec: z.object({}), status: z.object({}) } },
  });
  expect(problemsOf(() => operator(controller('a'), controller('b', {}, Other)))).toEqual([]);
  const Two = defineCustomResource({
    group: 'two.example.com',
    kind: 'Two',
    versions: {
      v1: { spec: z.object({}), status: z.object({}), storage: true },
      v2: { spec: z.object({}), status: z.object({}) },
    },
  });
  expect(problemsOf(() => operator(controller('a', {}, Two), controller('b', {}, Two.versions.v2)))).toEqual([
    expect.stringContaining('is the whole status of Two'),
  ]);
});

test.each<[string, z.ZodObject, string]>([
  [
    'a required field, which only one of them writes',
    z.object({ members: k.int32(), lastBackup: z.string().optional(), conditions: k.conditions() }),
    'status.members is required, so the API server refuses what one writes before the other; make it optional, or give it a default',
  ],
  [
    'conditions that are a plain list',
    z.object({ lastBackup: z.string().optional(), conditions: z.array(z.object({ type: z.string() })).optional() }),
    'status.conditions is replaced as a whole by each write; declare it with k.conditions()',
  ],
  [
    'an atomic status',
    k.atomic(z.object({ lastBackup: z.string().optional() })) as never,
    'it is atomic, so that each write replaces all of it; leave k.atomic out',
  ],
])('a status is refused that has %s', (_, status, message) => {
  const kind = ring(status);
  expect(problemsOf(() => operator(controller('a', {}, kind), sharing('b', { fields: ['lastBackup'] }, kind)))).toEqual([
    `controllers[0].for: controllers[0] ('a') and controllers[1] ('b') write the status of Ring: ${message}`,
  ]);
  expect(problemsOf(() => operator(controller('a', {}, kind)))).toEqual([]);
});

test.each<[string, unknown, string[]]>([
  ['nothing', {}, ['writesStatus: names nothing; write a summary, conditions or fields, or writesStatus: false']],
  [
    'a part that is unknown',
    { sumary: 'A' },
    [
      "writesStatus.sumary: is not part of a share of the status: { summary: 'BackupsReady', conditions: [...], fields: [...] }; known are summary, neededForReady, conditions, fields",
    ],
  ],
  ['a text', 'Ready', ["writesStatus: is 'Ready'; write true or false"]],
  [
    'a field that is not there',
    { fields: ['lastBakup'] },
    ["writesStatus.fields[0]: 'lastBakup' is not a field of the status of Ring; correct its name, or declare it"],
  ],
  [
    'fields of the framework',
    { fields: ['conditions', 'observedGeneration'] },
    [
      "writesStatus.fields[0]: 'conditions' is written by conditions and summary; name the types there",
      "writesStatus.fields[1]: 'observedGeneration' comes with summary: 'Ready'; leave it out",
    ],
  ],
  [
    'conditions of the framework',
    { summary: 'BackupsReady', conditions: ['Ready', 'Stalled'] },
    [
      "writesStatus.conditions[0]: 'Ready' comes with the summary Ready alone; leave it out, or write summary: 'Ready'",
      "writesStatus.conditions[1]: 'Stalled' comes with the summary Ready alone; leave it out, or write summary: 'Ready'",
    ],
  ],
  [
    'what is not a condition type',
    { summary: 'not ready!' },
    ["writesStatus.summary: 'not ready!' is not a condition type; write one word in CamelCase, for example 'BackupRecent'"],
  ],
  ['one type twice', { summary: 'A', conditions: ['A'] }, ["writesStatus: names 'A' twice; leave one out"]],
  [
    'a need without a summary',
    { fields: ['members'], neededForReady: true },
    ["writesStatus.neededForReady: is set, but there is no summary; name one, for example summary: 'BackupsReady'"],
  ],
  [
    'a need of Ready itself',
    { summary: 'Ready', neededForReady: true },
    ['writesStatus.neededForReady: is set beside the summary Ready itself; leave it out'],
  ],
])('a share is refused that names %s', (_, share, problems) => {
  expect(problemsOf(() => sharing('a', share as never))).toEqual(problems);
});

test('a share of a kind that has none of it is refused', () => {
  const bare = ring(z.object({ members: k.int32().optional() }));
  expect(problemsOf(() => sharing('a', { summary: 'A' }, bare))).toEqual([
    'writesStatus: names conditions; declare status.conditions of Ring with k.conditions()',
  ]);
  expect(problemsOf(() => sharing('a', { summary: 'A' }, ConfigMap))).toEqual([
    'writesStatus: ConfigMap has no status subresource; leave writesStatus out',
  ]);
  expect(problemsOf(() => sharing('a', { conditions: ['A'] }, Deployment))).toEqual([]);
});

test.each(['Ready2', 'backup.example.com/Recent', 'a.b-c.d/Recent', 'a--b.example.com/X_y.z-1'])('%s is a condition type', (type) => {
  expect(problemsOf(() => sharing('a', { conditions: [type] }))).toEqual([]);
});

test.each(['', '-A', 'A-', 'Backup Recent', 'Example.com/Recent', '-a.com/X', 'a-.com/X', 'a/b/C', 'a./C'])(
  "'%s' is no condition type",
  (type) => {
    expect(problemsOf(() => sharing('a', { conditions: [type] }))).toEqual([expect.stringContaining('is not a condition type')]);
  },
);

test('a status that says nothing of its fields may have any', () => {
  expect(problemsOf(() => sharing('a', { fields: ['anything'] }, Deployment))).toEqual([]);
  const open = ring(k.preserveUnknown(z.object({ conditions: k.conditions() })) as unknown as z.ZodObject);
  expect(problemsOf(() => sharing('a', { fields: ['anything'] }, open))).toEqual([]);
});

describe('children of two controllers of one kind', () => {
  const owning = (name: string, owns: Options) => controller(name, { owns, writesStatus: false });

  test('handles that act upon the same kind are refused: their objects carry no mark', () => {
    const problems = problemsOf(() =>
      operator(
        owning('members', { pods: own(Pod, { verbs: ['create', 'delete'] }) }),
        owning('healer', { broken: own(Pod, { verbs: ['delete'] }) }),
      ),
    );
    expect(problems).toEqual([
      "controllers[1].owns.broken: acts upon the Pod children of the same Ring as owns.pods of controllers[0] ('members') does: their objects carry no mark of the controller that made them; " +
        'let one controller make and delete them, and let the other watch them: watches: { broken: watch(Pod, { verbs: [...] }) }',
    ]);
  });

  test('handles of one controller, and of other kinds, are taken', () => {
    const acting = { verbs: ['create', 'delete'] } as const;
    expect(
      problemsOf(() =>
        operator(
          owning('members', { pods: own(Pod, acting), twins: own(Job, acting) }),
          owning('healer', { maps: own(ConfigMap, acting) }),
        ),
      ),
    ).toEqual([]);
  });

  test('desired state beside desired state, or beside verbs, is told apart by its mark', () => {
    expect(
      problemsOf(() =>
        operator(
          owning('a', { configs: ConfigMap, jobs: own(Job, { existence: 'once' }), pods: own(Pod, { verbs: ['create'] }) }),
          owning('b', { configs: ConfigMap, jobs: own(Job, { existence: 'once' }), pods: Pod }),
        ),
      ),
    ).toEqual([]);
  });
});

test('one name, and one finalizer, are refused as before', () => {
  const finalizing = (name: string) =>
    controller(name, { writesStatus: false, finalizer: 'etcd.example.com/a', finalize: () => undefined });
  expect(problemsOf(() => operator(finalizing('a'), finalizing('b')))).toEqual([
    "controllers[1].finalizer: the finalizer 'etcd.example.com/a' is taken by controllers[0].finalizer; each would remove the other’s; name one of them",
  ]);
});
