import { mergePatch, type RunningCluster } from '@keelson/testing';
import { TerminalError } from 'keelson';
import { ConfigMap, Job } from 'keelson/kinds';
import { MemoryLog } from '../harness/running-controller.js';
import { newPlay, type Play, Ring, ringOperator } from './ring.js';

export interface Rings {
  readonly cluster: RunningCluster;
  readonly play: Play;
}

/** What two controllers of one kind do on any API server, both running. */
export function twoControllers(start: (operator: ReturnType<typeof ringOperator>) => Promise<RunningCluster>): void {
  let cluster: RunningCluster;
  let play: Play;
  const log = new MemoryLog();
  const begin = async (options: Parameters<typeof ringOperator>[1] = {}): Promise<void> => {
    play = newPlay();
    log.lines.length = 0;
    cluster = await start(ringOperator(play, options));
    await cluster.startOperator({ log });
  };
  afterEach(() => cluster.close());

  const ring = (name: string, spec: object = {}) => Ring({ metadata: { name }, spec });
  const conditionsOf = (status: Ring['status']): string[] =>
    (status?.conditions ?? []).map(({ type, status: is, reason }) => `${type}=${is} ${reason}`).sort();
  const QUIET = ['BackupRecent=True Saved', 'BackupsReady=True Reconciled', 'Ready=True MembersRun'];
  /** Until both have run so many times more. */
  const turns = async (count: number): Promise<void> => {
    const { members, backups } = { ...play.runs };
    await cluster.until(() => play.runs.members >= members + count && play.runs.backups >= backups + count);
  };
  const names = async (kind: typeof ConfigMap | typeof Job, prefix: string): Promise<string[]> =>
    (await cluster.list(kind as typeof ConfigMap))
      .map(({ metadata }) => metadata.name)
      .filter((name) => name.startsWith(prefix))
      .sort();

  test('each has conditions and fields of its own: neither flips or removes what the other says', async () => {
    await begin();
    play.isRestless = true;
    await cluster.create(ring('a', { size: 3 }));
    await cluster.until(Ring, 'a', ({ status }) => expect(conditionsOf(status)).toEqual(QUIET));
    const before = await cluster.get(Ring, 'a');
    expect(before.status).toMatchObject({ members: 3, lastBackup: 'b', observedGeneration: 1 });
    await turns(15);
    // Not one write of either: what they say stands.
    expect((await cluster.get(Ring, 'a')).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    await cluster.patch(Ring, 'a', mergePatch({ spec: { size: 5, bucket: 'c' } }));
    await cluster.until(Ring, 'a', { status: { members: 5, lastBackup: 'c', observedGeneration: 2 } });
    await cluster.until(Ring, 'a', ({ status }) =>
      expect(status?.conditions?.map(({ observedGeneration }) => observedGeneration)).toEqual([2, 2, 2]),
    );
    expect(conditionsOf((await cluster.get(Ring, 'a')).status)).toEqual(QUIET);
  });

  test('an error of one is in its own summary; Ready stays as it is', async () => {
    await begin();
    await cluster.create(ring('a'));
    await cluster.until(Ring, 'a', ({ status }) => expect(conditionsOf(status)).toEqual(QUIET));
    play.fault = new TerminalError('no such bucket');
    await cluster.patch(Ring, 'a', mergePatch({ spec: { size: 2 } }));
    await cluster.until(Ring, 'a', ({ status }) => {
      expect(status).toMatchObject({ members: 2, lastBackup: 'b' });
      expect(conditionsOf(status)).toEqual(['BackupRecent=True Saved', 'BackupsReady=False TerminalError', 'Ready=True MembersRun']);
    });
  });

  test('a Ready that waits for the other’s summary follows it, and the object comes to rest', async () => {
    await begin({ neededForReady: true });
    play.fault = new TerminalError('no such bucket');
    await cluster.create(ring('a'));
    const failing = ['BackupsReady=False TerminalError', 'Ready=False PartNotReady'];
    await cluster.until(Ring, 'a', ({ status }) => expect(conditionsOf(status)).toEqual(failing));
    play.fault = undefined;
    await cluster.patch(Ring, 'a', mergePatch({ spec: { size: 2 } }));
    await cluster.until(Ring, 'a', ({ status }) => {
      expect(conditionsOf(status)).toEqual(QUIET);
      expect(status?.conditions?.map(({ observedGeneration }) => observedGeneration)).toEqual([2, 2, 2]);
    });
  });

  test('children: each sees and prunes its own, and one that both want is refused to the second by name', async () => {
    await begin();
    await cluster.create(ring('a'));
    await cluster.until(async () => expect(await names(ConfigMap, 'a-')).toEqual(['a-backup', 'a-members']));
    await cluster.until(async () => expect(await names(Job, 'a-')).toEqual(['a-backup', 'a-members']));
    play.backupChild = 'members';
    await cluster.patch(Ring, 'a', mergePatch({ spec: { size: 2 } }));
    await cluster.until(Ring, 'a', ({ status }) => {
      const summary = status?.conditions?.find(({ type }) => type === 'BackupsReady');
      expect(summary?.message).toMatch(
        /ConfigMap \S+\/a-members is desired by the controller ring-operator\/members for the same Ring; give the children of the two different names/,
      );
    });
    // Refused before anything of the second was pruned, and the first goes on.
    expect(await names(ConfigMap, 'a-')).toEqual(['a-backup', 'a-members']);
    play.backupChild = 'copy';
    await cluster.patch(Ring, 'a', mergePatch({ spec: { size: 3 } }));
    await cluster.until(async () => expect(await names(ConfigMap, 'a-')).toEqual(['a-copy', 'a-members']));
    await cluster.until(Ring, 'a', ({ status }) => expect(conditionsOf(status)).toEqual(QUIET));
    expect(play.seen).toEqual(['a-members']);
  });

  test('what each has made once is remembered for each, and not made again', async () => {
    await begin();
    await cluster.create(ring('a'));
    const made = ({ metadata: { annotations = {} } }: Ring): object =>
      Object.fromEntries(Object.entries(annotations).filter(([name]) => name.startsWith('made.keelson.dev/')));
    const both = { 'made.keelson.dev/members': '{"jobs":["a-members"]}', 'made.keelson.dev/backups': '{"jobs":["a-backup"]}' };
    await cluster.until(Ring, 'a', (object) => expect(made(object)).toEqual(both));
    for (const name of ['a-members', 'a-backup']) await cluster.delete(Job, name);
    play.isRestless = true;
    await cluster.patch(Ring, 'a', mergePatch({ spec: { size: 2 } }));
    await cluster.until(Ring, 'a', { status: { members: 2 } });
    await turns(2);
    await cluster.until(async () => {
      const left = (await cluster.list(Job)).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      expect(left).toEqual([]);
    });
    expect(made(await cluster.get(Ring, 'a'))).toEqual(both);
  });

  test('each has a finalizer of its own, and the object goes when both are done', async () => {
    await begin();
    await cluster.create(ring('a'));
    await cluster.until(Ring, 'a', ({ metadata }) =>
      expect([...(metadata.finalizers ?? [])].sort()).toEqual(['rings.example.com/backups', 'rings.example.com/members']),
    );
    await cluster.delete(Ring, 'a');
    await cluster.until(Ring, 'a', 'absent');
    expect(log.texts.filter((text) => text.startsWith('error'))).toEqual([]);
  });
}
