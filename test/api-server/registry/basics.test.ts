import { bodyOf, drained, metaOf, newBench, toldEvent, toldRefusal, widget } from './fakes.js';

describe('the verbs of the API over one kind', () => {
  test('what is created can be read, listed and watched', async () => {
    const bench = newBench();
    const { registry } = bench;
    const watch = await registry.watch(bench.at('default/'), { resourceVersion: '1' });
    const created = await registry.create(bench.at('default/'), bodyOf(widget('a')), bench.context());
    expect(created).toEqual({
      kind: 'Widget',
      apiVersion: 'example.com/v1',
      metadata: {
        name: 'a',
        namespace: 'default',
        uid: 'uid-1',
        resourceVersion: '2',
        generation: 1,
        creationTimestamp: '2024-01-01T00:00:00Z',
        managedFields: [
          {
            manager: 'test',
            operation: 'Update',
            apiVersion: 'example.com/v1',
            time: '2024-01-01T00:00:00Z',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:spec': { 'f:size': {} } },
          },
        ],
      },
      spec: { size: 3 },
      status: {},
    });
    expect(await registry.get(bench.at('default/a'), {})).toBe(created);
    const list = await registry.list(bench.at('default/'), {});
    expect(list.items[0]).toBe(created);
    expect(list.resourceVersion).toBe('2');
    expect((await drained(watch)).map(toldEvent)).toEqual(['ADDED a@2']);
  });

  test('an update is written from the version that it names', async () => {
    const bench = newBench();
    const { registry } = bench;
    const created = await registry.create(bench.at('default/'), bodyOf(widget('a')), bench.context());
    const { object } = await registry.update(bench.at('default/a'), bodyOf({ ...created, spec: { size: 4 } }), bench.context());
    expect(object['spec']).toEqual({ size: 4 });
    expect(metaOf(object)).toMatchObject({ generation: 2, resourceVersion: '3', uid: 'uid-1' });
    const late = registry.update(bench.at('default/a'), bodyOf({ ...created, spec: { size: 5 } }), bench.context());
    expect(await toldRefusal(late)).toBe(
      '409 Conflict: Operation cannot be fulfilled on widgets.example.com "a": the object has been modified; please apply your changes to the latest version and try again',
    );
  });

  test('what is deleted is gone', async () => {
    const bench = newBench();
    const { registry } = bench;
    await registry.create(bench.at('default/'), bodyOf(widget('a')), bench.context());
    const deleted = await registry.delete(bench.at('default/a'), {}, bench.context());
    expect(deleted).toEqual({
      status: {
        status: 'Success',
        code: 200,
        isCodeless: true,
        details: { name: 'a', group: 'example.com', kind: 'widgets', uid: 'uid-1' },
      },
      isPending: false,
    });
    expect(await toldRefusal(registry.get(bench.at('default/a'), {}))).toBe('404 NotFound: widgets.example.com "a" not found');
  });
});
