import type { StatusShareModel } from '../../../src/keelson/definition/index.js';
import { Share } from '../../../src/runtime/status/share.js';

const shareOf = (more: Partial<StatusShareModel> = {}): StatusShareModel => ({
  neededForReady: false,
  conditions: [],
  fields: [],
  ...more,
});
const controller = (name: string, statusShare?: StatusShareModel) => ({ name, writesStatus: true, statusShare }) as never;
const condition = (type: string) =>
  ({ type, status: 'True', reason: 'R', message: '', lastTransitionTime: '2030-01-01T00:00:00Z' }) as const;

const BACKUPS = shareOf({ summary: 'BackupsReady', neededForReady: true, conditions: ['Scheduled'], fields: ['lastBackup'] });
const STATUS = {
  size: 3,
  lastBackup: 'today',
  observedGeneration: 4,
  conditions: [condition('Ready'), condition('Stalled'), condition('BackupsReady'), condition('Scheduled'), condition('Custom')],
};
const typesOf = (status: unknown): string[] => (status as { conditions?: { type: string }[] }).conditions?.map(({ type }) => type) ?? [];

describe('a controller that is alone', () => {
  const share = new Share({});

  test('has all of the status, as it is', () => {
    expect(share.isWhole).toBe(true);
    expect(share.of(STATUS)).toBe(STATUS);
    expect(share.conditionsBeside(STATUS)).toEqual([]);
    expect(share.strayIn({ anything: 1 }, [condition('Any')])).toBeUndefined();
    expect(share.losersBetween(STATUS, {})).toEqual([]);
  });

  test('says Ready, and waits for nobody', () => expect([share.summary, share.needed]).toEqual(['Ready', []]));
});

describe('a controller that names its share', () => {
  const share = new Share({ statusShare: BACKUPS }, [controller('main')]);

  test('reads what it has named, and its summary, and nothing else', () => {
    expect(share.isWhole).toBe(false);
    expect(share.of(STATUS)).toEqual({ lastBackup: 'today', conditions: [condition('BackupsReady'), condition('Scheduled')] });
    expect(share.of({ size: 3, conditions: [condition('Ready')] })).toEqual({});
    expect(typesOf({ conditions: share.conditionsBeside(STATUS) })).toEqual(['Ready', 'Stalled', 'Custom']);
  });

  test('has the conditions of kstatus and the observed generation if its summary is Ready, and not otherwise', () => {
    const ready = new Share({ statusShare: shareOf({ summary: 'Ready', fields: ['size'] }) }, [controller('other', BACKUPS)]);
    expect(ready.of(STATUS)).toMatchObject({ size: 3, observedGeneration: 4 });
    expect(typesOf(ready.of(STATUS))).toEqual(['Ready', 'Stalled']);
    expect(ready.needed).toEqual(['BackupsReady']);
  });

  test('without a summary says none, and has no condition but those that it names', () => {
    const silent = new Share({ statusShare: shareOf({ conditions: ['Custom'] }) }, [controller('other', BACKUPS)]);
    expect([silent.summary, silent.needed]).toEqual([undefined, []]);
    expect(silent.of(STATUS)).toEqual({ conditions: [condition('Custom')] });
  });

  test('is told what it says beyond its share, and where to name it', () => {
    expect(share.strayIn({ lastBackup: 'x', conditions: [], size: undefined }, [condition('Scheduled')])).toBeUndefined();
    expect(share.strayIn({ size: 1 }, undefined)).toBe(
      "status.size is not in the controller's share of the status; name it under writesStatus.fields, or leave it out",
    );
    expect(share.strayIn(undefined, [condition('BackupsReady'), condition('Ready')])).toBe(
      "the condition Ready is not in the controller's share of the status; name it under writesStatus.conditions, or leave it out",
    );
  });
});

describe('a controller beside others that name theirs', () => {
  const share = new Share({}, [controller('backup', BACKUPS), controller('silent')]);

  test('reads all that they have not named', () => {
    expect(share.isWhole).toBe(false);
    expect(share.of(STATUS)).toMatchObject({ size: 3, observedGeneration: 4 });
    expect(share.of(STATUS)).not.toHaveProperty('lastBackup');
    expect(typesOf(share.of(STATUS))).toEqual(['Ready', 'Stalled', 'Custom']);
    expect(typesOf({ conditions: share.conditionsBeside(STATUS) })).toEqual(['BackupsReady', 'Scheduled']);
  });

  test('reads no conditions where all are those of the others', () => {
    expect(share.of({ size: 3, conditions: [condition('BackupsReady'), condition('Scheduled')] })).toEqual({ size: 3 });
  });

  test('may give conditions as a field of its status, too', () => {
    expect(share.strayIn({ size: 3, conditions: [condition('Custom')] }, undefined)).toBeUndefined();
  });

  test('is told whose it says', () => {
    expect(share.strayIn({ size: 1 }, [condition('Ready')])).toBeUndefined();
    expect(share.strayIn({ size: 1, lastBackup: 'x' }, undefined)).toBe(
      'status.lastBackup is that of the controller backup, which names it under writesStatus; leave it out',
    );
    expect(share.strayIn({}, [condition('Scheduled')])).toBe(
      'the condition Scheduled is that of the controller backup, which names it under writesStatus; leave it out',
    );
  });

  test('waits for the summaries that are needed, and for no others', () => {
    const idle = shareOf({ summary: 'IdleReady' });
    expect(new Share({}, [controller('backup', BACKUPS), controller('idle', idle)]).needed).toEqual(['BackupsReady']);
    expect(new Share({ statusShare: idle }, [controller('backup', BACKUPS)]).needed).toEqual([]);
  });

  test('knows who has lost something by a write: a field or a condition that was there and is not', () => {
    const { lastBackup: _, ...withoutField } = STATUS;
    const without = (type: string) => ({ ...STATUS, conditions: STATUS.conditions.filter((one) => one.type !== type) });
    expect(share.losersBetween(STATUS, withoutField)).toEqual(['backup']);
    for (const type of ['BackupsReady', 'Scheduled'])
      expect([type, share.losersBetween(STATUS, without(type))]).toEqual([type, ['backup']]);
    expect(share.losersBetween(STATUS, undefined)).toEqual(['backup']);
    expect(share.losersBetween(STATUS, { ...STATUS, size: undefined, lastBackup: 'another' })).toEqual([]);
    expect(share.losersBetween(STATUS, without('Custom'))).toEqual([]);
    expect(share.losersBetween(withoutField, withoutField)).toEqual([]);
    expect(share.losersBetween(undefined, STATUS)).toEqual([]);
  });

  test('leaves a status that is not an object as it is: it is replaced as a whole', () => {
    for (const broken of ['text', null, undefined, 7]) expect(share.of(broken as never)).toBe(broken);
  });
});
