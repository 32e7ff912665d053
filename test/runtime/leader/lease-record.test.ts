import { heldSpec, LeaseObservation, type LeaseRecord, recordOf, releasedSpec } from '../../../src/runtime/leader/lease-record.js';

const NOW = '2030-01-01T00:00:10.000000Z';
const BEFORE: LeaseRecord = {
  holder: 'me',
  durationMs: 15_000,
  acquireTime: '2030-01-01T00:00:00.000000Z',
  renewTime: '2030-01-01T00:00:05.000000Z',
  transitions: 3,
};

describe('a Lease that others wrote', () => {
  test('is read whole', () => {
    const spec = { holderIdentity: 'b', leaseDurationSeconds: 7, acquireTime: 'then', renewTime: 'later', leaseTransitions: 2 };
    expect(recordOf(spec, 1)).toEqual({ holder: 'b', durationMs: 7_000, acquireTime: 'then', renewTime: 'later', transitions: 2 });
  });

  test.each([undefined, {}])('without any of its fields it is of nobody, and lasts as long as ours: %j', (spec) => {
    expect(recordOf(spec, 15_000)).toEqual({ holder: '', durationMs: 15_000, transitions: 0 });
  });

  test('a duration of zero is zero', () => expect(recordOf({ leaseDurationSeconds: 0 }, 15_000).durationMs).toBe(0));
});

describe('the Lease that is written', () => {
  const taken = { holderIdentity: 'me', leaseDurationSeconds: 15, acquireTime: NOW, renewTime: NOW };

  test('for the first time has no transition', () =>
    expect(heldSpec(undefined, 'me', 15_000, NOW)).toEqual({ ...taken, leaseTransitions: 0 }));

  test('in a renewal keeps its acquisition and its transitions', () => {
    expect(heldSpec(BEFORE, 'me', 15_000, NOW)).toEqual({ ...taken, acquireTime: BEFORE.acquireTime, leaseTransitions: 3 });
  });

  test('in a renewal of one without a time of acquisition gets one', () => {
    expect(heldSpec({ ...BEFORE, acquireTime: undefined }, 'me', 15_000, NOW)).toEqual({ ...taken, leaseTransitions: 3 });
  });

  test.each(['other', ''])('taken from %j is a transition, acquired now', (holder) => {
    expect(heldSpec({ ...BEFORE, holder }, 'me', 15_000, NOW)).toEqual({ ...taken, leaseTransitions: 4 });
  });

  test('lasts whole seconds, and not less than asked for', () =>
    expect(heldSpec(undefined, 'me', 14_001, NOW).leaseDurationSeconds).toBe(15));

  test('by who lets go of it names nobody and is over in a second', () => {
    expect(releasedSpec(BEFORE, NOW)).toEqual({
      holderIdentity: '',
      leaseDurationSeconds: 1,
      acquireTime: NOW,
      renewTime: NOW,
      leaseTransitions: 3,
    });
  });
});

describe('when somebody else may take it', () => {
  test('nothing seen, and a Lease of nobody: at once', () => {
    const observation = new LeaseObservation();
    expect([observation.record, observation.remainingMs(5)]).toEqual([undefined, 0]);
    observation.see({ ...BEFORE, holder: '' }, 5);
    expect(observation.remainingMs(6)).toBe(0);
  });

  test('its duration after it was seen to change, not after it was seen again', () => {
    const observation = new LeaseObservation();
    observation.see(BEFORE, 1_000);
    observation.see({ ...BEFORE }, 9_000);
    expect([observation.record, observation.remainingMs(9_000), observation.remainingMs(16_001)]).toEqual([BEFORE, 7_000, -1]);
  });

  test.each<[keyof LeaseRecord, string | number]>([
    ['holder', 'other'],
    ['renewTime', NOW],
    ['acquireTime', NOW],
    ['transitions', 4],
    ['durationMs', 20_000],
  ])('a change of %s begins it anew', (field, value) => {
    const observation = new LeaseObservation();
    observation.see(BEFORE, 1_000);
    const changed = { ...BEFORE, [field]: value };
    observation.see(changed, 9_000);
    expect(observation.remainingMs(9_000)).toBe(changed.durationMs);
  });
});
