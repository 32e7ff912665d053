import type { StoredObject } from '../../../src/runtime/cache/index.js';
import { Share, StatusWriter, statedBy } from '../../../src/runtime/status/index.js';
import { FakeInformer } from '../children/fake-informer.js';
import { MemoryLog } from '../harness/running-controller.js';
import { Widget } from '../reconcile/widget.js';

const SIGNAL = new AbortController().signal;
const condition = (type: string, status = 'True') => ({
  type,
  status,
  reason: 'Said',
  message: '',
  lastTransitionTime: '2030-01-01T00:00:00Z',
});

const widget = (status?: unknown, resourceVersion = '1', uid = 'u'): StoredObject =>
  ({
    apiVersion: 'test.example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'shop', uid, resourceVersion },
    ...(status === undefined ? {} : { status }),
  }) as unknown as StoredObject;

/** A writer, and a server that answers when the test lets it. */
function scene(share = new Share({})) {
  const informer = new FakeInformer(Widget);
  const others: StoredObject[] = [];
  const answers: ((object: StoredObject) => void)[] = [];
  const begun: Promise<StoredObject>[] = [];
  for (let tries = 0; tries < 2; tries += 1) begun.push(new Promise((resolve) => void answers.push(resolve)));
  const apply = () => begun.shift();
  const client = { list: async () => ({ items: [] }), status: () => ({ apply }) } as never;
  const onOthers = (object: StoredObject): void => void others.push(object);
  const writer = new StatusWriter({ client, log: new MemoryLog(), kind: Widget, informer, fieldManager: 'test/widget', share, onOthers });
  /** The watch has reported it. */
  const hears = (object: StoredObject): boolean => {
    informer.put(object);
    return writer.hears(object);
  };
  return { informer, others, writer, hears, answer: (object: StoredObject) => answers.shift()?.(object) };
}

test('H38: an own write is not heard, whether its event comes before its answer or after it', async () => {
  const { writer, hears, answer, others } = scene();
  const written = writer.write(widget(), { size: 1 }, SIGNAL);
  expect(hears(widget({ size: 1 }, '2'))).toBe(false);
  answer(widget({ size: 1 }, '2'));
  await written;
  expect(hears(widget({ size: 1 }, '2'))).toBe(false);
  expect(hears(widget({ size: 1 }, '3'))).toBe(false);
  expect(others).toEqual([]);
});

test('a change of others is heard once, and again when it goes back', async () => {
  const { writer, hears } = scene();
  await writer.write(widget({ size: 1 }), { size: 1 }, SIGNAL);
  const heard = [7, 7, 1, 1].map((size, index) => hears(widget({ size }, String(index + 2))));
  expect(heard).toEqual([true, false, true, false]);
});

test('a change of others during a write is heard with its answer', async () => {
  const { writer, hears, answer, others, informer } = scene();
  const written = writer.write(widget(), { size: 1 }, SIGNAL);
  expect(hears(widget({ size: 7 }, '3'))).toBe(false);
  // An answer that is older than what the watch has reported changes nothing of what reads show.
  jest.spyOn(informer, 'written').mockReturnValue();
  answer(widget({ size: 1 }, '2'));
  await written;
  expect(others.map(({ metadata }) => metadata.resourceVersion)).toEqual(['3']);
});

test('an object that this process has said nothing of is not heard, nor one that it has let go, nor another one of its name', async () => {
  const { writer, hears } = scene();
  expect(hears(widget({ size: 7 }, '2'))).toBe(false);
  await writer.write(widget({ size: 7 }, '2'), { size: 7 }, SIGNAL);
  expect(hears(widget({ size: 1 }, '3', 'another'))).toBe(false);
  writer.letGo('u');
  expect(hears(widget({ size: 8 }, '4'))).toBe(false);
  await writer.write(widget({ size: 8 }, '4'), { size: 8 }, SIGNAL);
  writer.forget('u');
  expect(hears(widget({ size: 9 }, '5'))).toBe(false);
});

test('what an apply has left beside its own is not heard any more', async () => {
  const { writer, hears, answer } = scene();
  const desired = { size: 1, conditions: [condition('Ready')] };
  await writer.write(widget(desired), desired, SIGNAL);
  const theirs = (beat: string) => ({ ...desired, beat, conditions: [condition('Beats', beat), condition('Ready')] });
  expect(hears(widget(theirs('a'), '2'))).toBe(true);
  const written = writer.write(widget(theirs('a'), '2'), desired, SIGNAL);
  answer(widget(theirs('a'), '2'));
  await written;
  expect(hears(widget(theirs('b'), '3'))).toBe(false);
  expect(hears(widget({ ...theirs('b'), conditions: [condition('Ready', 'False')] }, '4'))).toBe(true);
});

test('of a share, and of a part, nothing else is heard; the order of conditions does not count', async () => {
  const share = new Share({ statusShare: { summary: 'Up', neededForReady: false, conditions: [], fields: ['size', 'more'] } });
  const { writer, hears } = scene(share);
  const desired = { size: 1, more: 2, conditions: [condition('Up')] };
  await writer.write(widget(desired), desired, SIGNAL, { stated: { fields: new Set(['size']) } });
  expect(hears(widget({ ...desired, other: 1 }, '2'))).toBe(false);
  expect(hears(widget({ ...desired, more: 3 }, '3'))).toBe(false);
  expect(hears(widget({ ...desired, conditions: [condition('Ready'), condition('Up')] }, '4'))).toBe(false);
  expect(hears(widget({ ...desired, size: 2 }, '5'))).toBe(true);
  expect(hears(widget({ more: 2, conditions: [condition('Up')] }, '6'))).toBe(true);
});

test.each([['a text'], [[1]], [{ conditions: [null] }], [{ conditions: 'none' }]])(
  'a status of a wrong form is heard: %p',
  async (status) => {
    const { writer, hears } = scene();
    await writer.write(widget({ size: 1, conditions: [condition('Up')] }), { size: 1, conditions: [condition('Up')] }, SIGNAL);
    expect([hears(widget(status, '2')), hears(widget(structuredClone(status), '3'))]).toEqual([true, false]);
  },
);

describe('what a run states', () => {
  const form = { hasConditions: true, hasObservedGeneration: true, summary: 'Ready' };
  const [verdict, said] = [{ type: 'reconciled' } as const, { type: 'Up', status: true, reason: 'Runs' } as const];
  const framework = ['Ready', 'Reconciling', 'Stalled'];
  const names = ({ fields, conditions }: ReturnType<typeof statedBy>) => [fields && [...fields], conditions && [...conditions]];

  test.each([
    ['a whole status and all conditions', { status: { size: 1 }, conditions: [said] }, [undefined, undefined]],
    ['nothing', {}, [['observedGeneration'], framework]],
    ['a part', { status: { size: undefined }, isPart: true }, [['size', 'observedGeneration'], framework]],
    [
      'conditions at the end of the object',
      { verdict: { type: 'finalizing' } as const, conditions: [said] },
      [['observedGeneration'], [...framework, 'Up']],
    ],
    ['the summary of a share', { form: { hasConditions: true, hasObservedGeneration: false, summary: 'Up' } }, [[], ['Up']]],
    ['nothing of a kind of others', { form: { hasConditions: false, hasObservedGeneration: false, summary: 'Ready' } }, [[], []]],
  ])('%s', (_what, statement, expected) => {
    expect(names(statedBy({ form, verdict, ...statement }))).toEqual(expected);
  });
});
