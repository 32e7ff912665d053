import { builtinResources } from '../../../src/api-server/kinds/builtin/index.js';
import { Registry } from '../../../src/api-server/registry/index.js';
import { Store } from '../../../src/api-server/store/index.js';
import { parseJson, parseYaml } from '../../../src/api-server/values/codec/index.js';
import { context, surroundings } from '../kinds/builtin/surroundings.js';
import { HandClock } from '../store/hand-clock.js';

describe('fields that nobody knows', () => {
  const target = {
    served: { resource: undefined as never, version: undefined as never },
    namespace: 'default',
    name: '',
    subresource: '',
  };
  const configMaps = builtinResources(surroundings).find(({ plural }) => plural === 'configmaps');
  const registry = new Registry({
    store: new Store({ clock: new HandClock() }),
    admission: { mutate: async () => undefined, validate: async () => undefined },
  });
  async function warningsOf(body: { readonly value: never; readonly strictProblems: readonly string[] }): Promise<readonly string[]> {
    const [version] = configMaps?.versions ?? [];
    const warnings: string[] = [];
    const place = { ...target, served: { resource: configMaps as never, version: version as never } };
    await registry.create(place, body, { ...context, isDryRun: true, fieldValidation: 'Warn', warn: (text) => warnings.push(text) });
    return warnings;
  }

  test('are told once, with nothing of what lies in them', async () => {
    const text =
      '{"metadata":{"name":"a"},"color":{"red":1,"red":2,"list":[{"x":1,"x":2}]},"color":3,"colors":1,"data":{"a":"b","a":"c"},"data":{}}';
    expect(await warningsOf(parseJson(Buffer.from(text)) as never)).toEqual([
      'duplicate field "data.a"',
      'duplicate field "data"',
      'unknown field "color"',
      'unknown field "colors"',
    ]);
  });

  test('of YAML are told in the order of their names, which Go gives them', async () => {
    const text = 'metadata: {name: a}\nzebra: 1\nant: {zoo: 1, bee: 2}\n';
    expect(await warningsOf(parseYaml(Buffer.from(text)) as never)).toEqual(['unknown field "ant"', 'unknown field "zebra"']);
  });
});
