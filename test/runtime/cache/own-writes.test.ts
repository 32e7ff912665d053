import { added, bookmark, deleted, errors, key, modified, object, scene, settle, stopAll } from './scene.js';

afterEach(stopAll);

const version = (one: { readonly metadata: { readonly resourceVersion: string } } | undefined): string | undefined =>
  one?.metadata.resourceVersion;

test('H1 an own write is read at once, and what listeners are told does not change by it', async () => {
  const { synced, informer, told } = scene();
  const watch = await synced([object('a', 3)], '5');
  informer.written(object('a', 7));
  informer.written(object('child', 8));
  expect(version(informer.get(key('a')))).toBe('7');
  expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['a', 'child']);
  // An event that is older than the own write must not turn it back.
  watch.send(modified(object('a', 6)));
  await settle();
  expect(version(informer.get(key('a')))).toBe('7');
  watch.send(modified(object('a', 7)), added(object('child', 8)), modified(object('a', 9)));
  await settle();
  expect(version(informer.get(key('a')))).toBe('9');
  expect(told).toEqual(['added a@3', 'modified a@6', 'modified a@7', 'added child@8', 'modified a@9']);
});

test('H1 answers that come in the wrong order show the newest', async () => {
  const { synced, informer } = scene();
  await synced([object('a', 3)], '5');
  informer.written(object('a', 9));
  informer.written(object('a', 7));
  expect(version(informer.get(key('a')))).toBe('9');
});

test('H1 own writes are found by label, namespace and index, and no more by what they were', async () => {
  const { synced, cache } = scene();
  const informer = cache.informer({
    kind: scene().informer.kind,
    indexes: { byColour: ({ metadata }) => [metadata.labels?.['colour'] ?? 'none'] },
  });
  await synced([object('a', 3, { labels: { colour: 'red' } }), object('b', 3, { labels: { colour: 'red' } })], '5');
  informer.written(object('a', 7, { labels: { colour: 'blue' } }));
  const names = (options: Parameters<typeof informer.list>[0]) => informer.list(options).map(({ metadata }) => metadata.name);
  expect(names({ index: { byColour: 'red' } })).toEqual(['b']);
  expect(names({ index: { byColour: 'blue' } })).toEqual(['a']);
  expect(names({ labels: { colour: 'blue' }, namespace: 'default' })).toEqual(['a']);
  expect(names({ namespace: 'other' })).toEqual([]);
});

test('H2 TR3 the write that ends an object hides it, and an object of the same name is not delayed', async () => {
  const { synced, informer } = scene();
  const watch = await synced([object('a', 3, { metadata: { finalizers: ['x'] } })], '5');
  informer.written(object('a', 200, { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 } }));
  expect(informer.get(key('a'))).toBeUndefined();
  watch.send(deleted(object('a', 201)));
  await settle();
  watch.send(added(object('a', 202, { uid: 'other' })));
  await settle();
  expect(version(informer.get(key('a')))).toBe('202');
});

test.each([
  ['whose finalizers are not all gone', { finalizers: ['x'], deletionGracePeriodSeconds: 0 }],
  ['that has time left', { deletionGracePeriodSeconds: 30 }],
  ['that says nothing of its time, as a Namespace', {}],
])('TR3 an own write of an object that is being deleted, %s, is read', async (_, metadata) => {
  const { synced, informer } = scene();
  await synced([object('a', 3)], '5');
  informer.written(object('a', 7, { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z', ...metadata } }));
  expect(version(informer.get(key('a')))).toBe('7');
});

test('TR1 TR3 what the process made and ended by a write while the watch was down is told with the next list', async () => {
  const { api, synced, informer, pass, told } = scene();
  const watch = await synced([], '100');
  watch.fail(errors.expired());
  informer.written(object('ghost', 105));
  informer.written(object('ghost', 107, { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 } }));
  expect(informer.get(key('ghost'))).toBeUndefined();
  await pass();
  (await api.next('list')).page([], '110');
  await api.next('watch');
  expect(told).toEqual(['added ghost@105', 'deleted ghost@105']);
});

test('H4 the answer of a deletion that comes after the write of a successor does not hide that', async () => {
  const { synced, informer } = scene();
  await synced([object('a', 3, { uid: 'first' })], '5');
  informer.written(object('a', 8, { uid: 'second' }));
  informer.deleted({ key: key('a'), uid: 'first', resourceVersion: '7' });
  expect(informer.get(key('a'))?.metadata.uid).toBe('second');
});

test('H4 the answer of a write that comes after that of the deletion does not bring its object back', async () => {
  const { synced, informer } = scene();
  await synced([object('a', 3)], '5');
  informer.deleted({ key: key('a'), uid: 'uid-a' });
  informer.written(object('a', 7));
  expect(informer.get(key('a'))).toBeUndefined();
  informer.written(object('a', 9, { uid: 'other' }));
  expect(version(informer.get(key('a')))).toBe('9');
});

test('H2 an own write of an object that was recreated meanwhile is let go by the new uid', async () => {
  const { synced, informer } = scene();
  const watch = await synced([object('a', 3)], '5');
  informer.written(object('a', 7));
  watch.send(deleted(object('a', 8)), added(object('a', 9, { uid: 'other' })));
  await settle();
  expect(informer.get(key('a'))?.metadata).toMatchObject({ uid: 'other', resourceVersion: '9' });
});

test('H2 a bookmark lets go of what no event came for', async () => {
  const { synced, informer } = scene();
  const watch = await synced([], '5');
  informer.written(object('a', 7));
  watch.send(bookmark(9));
  await settle();
  expect(informer.get(key('a'))).toBeUndefined();
});

test('H3 TR1 what was created and deleted while the watch was down goes with the next list', async () => {
  const { api, synced, informer, pass, told, changes } = scene();
  const watch = await synced([], '100');
  watch.fail(errors.expired());
  informer.written(object('ghost', 105));
  informer.written(object('alive', 115));
  await pass();
  (await api.next('list')).page([], '110');
  await api.next('watch');
  expect(informer.get(key('ghost'))).toBeUndefined();
  // Made after the moment of the list.
  expect(version(informer.get(key('alive')))).toBe('115');
  // Who made it must hear that it is gone, to make it again.
  expect(told).toEqual(['added ghost@105', 'deleted ghost@105']);
  expect(changes).toMatchObject([
    { isInitial: false, isLastStateUnknown: false, previous: undefined },
    { isInitial: false, isLastStateUnknown: true, previous: { metadata: { name: 'ghost' } } },
  ]);
});

test('TR1 what was made and deleted by the process itself while the watch was down is told with the next list', async () => {
  const { api, synced, informer, pass, told } = scene();
  const watch = await synced([object('known', 90)], '100');
  watch.fail(errors.expired());
  const ghost = object('ghost', 105);
  informer.written(ghost);
  informer.deleted({ key: key('ghost'), uid: ghost.metadata.uid });
  informer.deleted({ key: key('known'), uid: object('known', 90).metadata.uid });
  expect(informer.get(key('ghost'))).toBeUndefined();
  await pass();
  (await api.next('list')).page([], '110');
  await api.next('watch');
  // Who deleted them goes on when they are gone: nobody else says so.
  expect(told.toSorted()).toEqual(['added ghost@105', 'added known@90', 'deleted ghost@105', 'deleted known@90']);
});

test('H4 an answer that comes after the end of its object does not bring it back', async () => {
  const { synced, informer } = scene();
  const watch = await synced([], '5');
  watch.send(added(object('a', 7)), deleted(object('a', 8)));
  await settle();
  informer.written(object('a', 7));
  expect(informer.get(key('a'))).toBeUndefined();
  watch.send(added(object('b', 9)), modified(object('b', 12)));
  await settle();
  informer.written(object('b', 9));
  expect(version(informer.get(key('b')))).toBe('12');
});

test('H5 TR2 a change of others during an own write is told, as is the own one upon it', async () => {
  const { synced, informer, changes } = scene();
  const watch = await synced([object('a', 105)], '105');
  // The answer is here before the event of what the user changed.
  informer.written(object('a', 107));
  watch.send(modified(object('a', 106)), modified(object('a', 107)));
  await settle();
  expect(changes.slice(1)).toMatchObject([
    { object: { metadata: { resourceVersion: '106' } }, previous: { metadata: { resourceVersion: '105' } } },
    { object: { metadata: { resourceVersion: '107' } }, previous: { metadata: { resourceVersion: '106' } } },
  ]);
});

test('H5 own writes are told as those of others are, each upon what was told before', async () => {
  const { synced, informer, changes } = scene();
  const watch = await synced([object('a', 105)], '105');
  informer.written(object('a', 107));
  informer.written(object('a', 109));
  informer.written(object('child', 110));
  // A write that changes nothing answers with what there was.
  informer.written(object('a', 105));
  watch.send(modified(object('a', 107)), modified(object('a', 109)), added(object('child', 110)), modified(object('a', 111)));
  await settle();
  expect(
    changes.slice(1).map(({ object: { metadata }, previous }) => [metadata.resourceVersion, previous?.metadata.resourceVersion]),
  ).toEqual([
    ['107', '105'],
    ['109', '107'],
    ['110', undefined],
    ['111', '109'],
  ]);
});

test('H5 an own write that a list finds is told', async () => {
  const { api, synced, informer, pass, changes } = scene();
  const watch = await synced([object('a', 105)], '105');
  informer.written(object('a', 107));
  watch.fail(errors.expired());
  await pass();
  (await api.next('list')).page([object('a', 107)], '108');
  await api.next('watch');
  expect(changes.at(-1)).toMatchObject({ type: 'modified', previous: { metadata: { resourceVersion: '105' } } });
});

test('H4 an own deletion of a successor does not bring back the object that had its name before', async () => {
  const { synced, informer, told } = scene();
  const watch = await synced([object('a', 2, { uid: 'first' })], '3');
  // Somebody else has deleted the first; the watch has not told.
  informer.written(object('a', 5, { uid: 'second' }));
  informer.deleted({ key: key('a'), uid: 'second', resourceVersion: '6' });
  expect(informer.get(key('a'))).toBeUndefined();
  expect(informer.list()).toEqual([]);
  watch.send(deleted(object('a', 4, { uid: 'first' })), added(object('a', 5, { uid: 'second' })));
  await settle();
  expect(informer.get(key('a'))).toBeUndefined();
  watch.send(deleted(object('a', 6, { uid: 'second' })), added(object('a', 7, { uid: 'third' })));
  await settle();
  expect(informer.get(key('a'))?.metadata.uid).toBe('third');
  expect(told.slice(1)).toEqual(['deleted a@4', 'added a@5', 'deleted a@6', 'added a@7']);
});

test('an own deletion is read at once, survives a list from before it, and hides no successor', async () => {
  const { api, synced, informer, pass, told } = scene();
  const watch = await synced([object('a', 3), object('b', 3)], '5');
  informer.deleted({ key: key('a'), uid: 'uid-a' });
  informer.deleted({ key: key('b'), uid: 'another' });
  expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['b']);
  watch.fail(errors.expired());
  await pass();
  (await api.next('list')).page([object('a', 3), object('b', 3)], '6');
  const again = (await api.next('watch')).open();
  expect(informer.get(key('a'))).toBeUndefined();
  again.send(bookmark(7));
  await settle();
  expect(informer.get(key('a'))).toBeUndefined();
  again.send(deleted(object('a', 8)), added(object('a', 9, { uid: 'new' })));
  await settle();
  expect(version(informer.get(key('a')))).toBe('9');
  expect(told.slice(2)).toEqual(['deleted a@8', 'added a@9']);
});

test('an own deletion of what was just created stays hidden until both are told', async () => {
  const { synced, informer } = scene();
  const watch = await synced([], '5');
  informer.written(object('a', 7));
  informer.deleted({ key: key('a'), uid: 'uid-a' });
  expect(informer.get(key('a'))).toBeUndefined();
  watch.send(added(object('a', 7)));
  await settle();
  expect(informer.get(key('a'))).toBeUndefined();
  watch.send(deleted(object('a', 8)), added(object('a', 9, { uid: 'new' })));
  await settle();
  expect(version(informer.get(key('a')))).toBe('9');
});

test('an own deletion without a version lasts beyond a list from before the write of its object', async () => {
  const { api, synced, informer, pass } = scene();
  const watch = await synced([], '5');
  informer.written(object('a', 7));
  informer.deleted({ key: key('a'), uid: 'uid-a' });
  watch.fail(errors.expired());
  await pass();
  (await api.next('list')).page([], '6');
  const again = (await api.next('watch')).open();
  again.send(added(object('a', 7)));
  await settle();
  expect(informer.get(key('a'))).toBeUndefined();
});

test('an own deletion that the watch has told already hides nothing', async () => {
  const { synced, informer } = scene();
  const watch = await synced([object('a', 3)], '5');
  watch.send(deleted(object('a', 6)), added(object('a', 7, { uid: 'new' })));
  await settle();
  informer.deleted({ key: key('a'), uid: 'uid-a', resourceVersion: '6' });
  expect(version(informer.get(key('a')))).toBe('7');
});

test('an own write that takes an object out of the selection hides it', async () => {
  const { synced, informer } = scene({}, { select: { labels: { a: 'b' }, fields: { 'metadata.name': 'x' } } });
  const watch = await synced([object('x', 3, { labels: { a: 'b' } })], '5');
  informer.written(object('x', 7));
  expect(informer.get(key('x'))).toBeUndefined();
  informer.written(object('x', 8, { labels: { a: 'b' } }));
  expect(version(informer.get(key('x')))).toBe('8');
  informer.written(object('y', 9, { labels: { a: 'b' } }));
  expect(informer.get(key('y'))).toBeUndefined();
  watch.send(deleted(object('x', 7)));
  await settle();
  expect(version(informer.get(key('x')))).toBe('8');
});

test('H8 where resource versions cannot be ordered, only the watch is believed', async () => {
  const { synced, informer } = scene();
  await synced([object('a', 'x3')], 'x5');
  informer.written(object('a', 'x7'));
  informer.written(object('b', 'x8'));
  expect(version(informer.get(key('a')))).toBe('x3');
  expect(informer.get(key('b'))).toBeUndefined();
});

test('the answer that was handed in stays whole, and is frozen', async () => {
  const { synced, informer } = scene({ transform: (one) => ({ ...one, data: {} }) });
  await synced([], '5');
  const answer = object('a', 7, { data: { a: 'b' }, metadata: { managedFields: [{ manager: 'me' }] } });
  const copy = structuredClone(answer);
  informer.written(answer);
  expect(answer).toEqual(copy);
  expect(Object.isFrozen(answer)).toBe(true);
  expect(informer.get(key('a'))).toMatchObject({ data: {} });
  expect(informer.get(key('a'))?.metadata.managedFields).toBeUndefined();
});

test('H7 a server that was set back makes own writes void, and later ones are read again', async () => {
  const { api, synced, informer, pass, told } = scene();
  const watch = await synced([object('a', 3)], '900');
  informer.written(object('a', 905));
  informer.written(object('b', 906));
  informer.deleted({ key: key('gone'), uid: 'uid-gone', resourceVersion: '907' });
  watch.fail(errors.expired());
  for (let times = 0; times < 2; times += 1) {
    await pass();
    (await api.next('list')).page([object('a', 3), object('gone', 5)], '7');
    await settle();
    expect(['a', 'b'].map((name) => version(informer.get(key(name))))).toEqual(['905', '906']);
  }
  await pass();
  (await api.next('list')).page([object('a', 3), object('gone', 5)], '7');
  await api.next('watch');
  expect(informer.list().map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)).toEqual(['a@3', 'gone@5']);
  // Reads have shown it, so that listeners must hear of its end.
  expect(told).toEqual(['added a@3', 'added b@906', 'deleted b@906', 'added gone@5']);
  informer.written(object('b', 8, { uid: 'other' }));
  expect(version(informer.get(key('b')))).toBe('8');
});

test('an own deletion of what was never seen hides it only as far as its version says', async () => {
  const { synced, informer } = scene();
  const watch = await synced([], '5');
  informer.deleted({ key: key('without'), uid: 'uid-without' });
  informer.deleted({ key: key('before'), uid: 'uid-before', resourceVersion: '5' });
  informer.deleted({ key: key('ahead'), uid: 'uid-ahead', resourceVersion: '12' });
  watch.send(added(object('without', 6)), added(object('before', 7)));
  await settle();
  // The watch has come further, but not as far as the deletion.
  watch.send(bookmark(9), added(object('ahead', 10)));
  await settle();
  expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['without', 'before']);
  watch.send(deleted(object('ahead', 12)), added(object('ahead', 13, { uid: 'other' })));
  await settle();
  expect(version(informer.get(key('ahead')))).toBe('13');
});

test('an own deletion without a version ends with the list that does not have its object', async () => {
  const { api, synced, informer, pass, told } = scene();
  const watch = await synced([object('a', 3)], '5');
  informer.deleted({ key: key('a'), uid: 'uid-a' });
  watch.fail(errors.expired());
  await pass();
  (await api.next('list')).page([], '9');
  const again = (await api.next('watch')).open();
  again.send(added(object('a', 10, { uid: 'other' })));
  await settle();
  expect(version(informer.get(key('a')))).toBe('10');
  expect(told).toEqual(['added a@3', 'deleted a@3', 'added a@10']);
});
