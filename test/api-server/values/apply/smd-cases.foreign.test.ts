import { parse } from 'yaml';
import {
  applyConfig,
  type Conflict,
  extractFields,
  type Managers,
  mergeValues,
  pathText,
  type TypedValue,
  type TypeRef,
  typedValue,
  updateManagers,
  type Versions,
} from '../../../../src/api-server/values/apply/index.js';
import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';
import { readSmdData, rootTypes, type SmdCase, type SmdOperation, setOf } from './smd-cases.js';
import { convertersOf } from './smd-converters.js';

const data = readSmdData();

/** Recorded from v4 of the library; the library that Kubernetes has today (v6) accepts an item that has some of its keys. */
const ACCEPTED_SINCE = new Set([13]);

/** Cases that must fail; the data does not hold the errors. */
const MUST_FAIL: Readonly<Record<number, string>> = {
  14: '.containerPorts: duplicate entries for key [port=80,protocol="TCP"]',
  15: '.containerPorts: duplicate entries for key [port=80,protocol="TCP"]',
};

/** Where the schema changes in the middle of a case, the data does not say to which: it is the other of this pair. */
const OTHER_SCHEMA: Readonly<Record<string, string>> = { schema16: 'schema17', schema17: 'schema16' };

/** The types of a case leave out a version in which only the result is compared: the three versions of the renamed fields have these. */
const RENAMED: Readonly<Record<string, string>> = { v1: 'schema9', v2: 'schema10', v3: 'schema11' };

interface State {
  readonly live: TypedValue | undefined;
  readonly managers: Managers;
  readonly typeOf: (apiVersion: string) => TypeRef | undefined;
}

class Replay {
  readonly #case: SmdCase;
  readonly #types: ReadonlyMap<string, TypeRef>;
  #state: State;

  constructor(smdCase: SmdCase, types: ReadonlyMap<string, TypeRef>) {
    this.#case = smdCase;
    this.#types = types;
    const others = smdCase.converter.endsWith('renamingConverter') ? RENAMED : {};
    const typeOf = (apiVersion: string): TypeRef | undefined => types.get(smdCase.types[apiVersion] ?? others[apiVersion] ?? '');
    this.#state = { live: undefined, managers: new Map(), typeOf };
  }

  get managers(): Managers {
    return this.#state.managers;
  }

  liveAt(apiVersion: string): Json {
    const live = this.#liveAt(apiVersion);
    return live.value;
  }

  run(operation: SmdOperation): void {
    switch (operation.op) {
      case 'fixture.ChangeParser':
        this.#changeSchema();
        break;
      case 'update':
        this.#update(operation);
        break;
      case 'apply':
        this.#apply(operation, { config: this.#parse(operation), force: false });
        break;
      case 'forceApply':
        this.#apply(operation, { config: this.#parse(operation), force: true });
        break;
      case 'extractApply':
        this.#apply(operation, { config: this.#onTopOfOwn(operation), force: true });
    }
  }

  get #versions(): Versions {
    return convertersOf(this.#case, this.#state.typeOf);
  }

  #parse({ object, apiVersion, op }: SmdOperation): TypedValue {
    const type = this.#typeOf(apiVersion);
    return typedValue(parse(object) as Json, { type, apiVersion, allowDuplicates: op === 'update' });
  }

  #typeOf(apiVersion: string): TypeRef {
    const type = this.#state.typeOf(apiVersion);
    if (type === undefined) throw new Error(`no type for ${apiVersion}`);
    return type;
  }

  #liveAt(apiVersion: string): TypedValue {
    const { live } = this.#state;
    if (live === undefined) return { value: null, type: this.#typeOf(apiVersion), apiVersion };
    const converted = this.#versions.convert(live, apiVersion);
    if (converted === undefined) throw new Error(`${apiVersion} is gone`);
    return converted;
  }

  #changeSchema(): void {
    const schema = OTHER_SCHEMA[this.#case.types['v1'] ?? ''] ?? '';
    const type = this.#types.get(schema);
    if (type === undefined || this.#state.live === undefined) throw new Error(`no schema ${schema} to change to`);
    this.#state = { ...this.#state, typeOf: () => type, live: typedValue(this.#state.live.value, { type, apiVersion: 'v1' }) };
  }

  #update(operation: SmdOperation): void {
    const [live, now] = [this.#liveAt(operation.apiVersion), this.#parse(operation)];
    const managers = updateManagers({ live, now, managers: this.managers, manager: operation.manager }, this.#versions);
    this.#state = { ...this.#state, live: now, managers };
  }

  #apply({ manager, apiVersion, conflicts = [] }: SmdOperation, { config, force }: { config: TypedValue; force: boolean }): void {
    const live = this.#liveAt(apiVersion);
    const outcome = applyConfig({ live, config, managers: this.managers, manager, force }, this.#versions);
    expect((outcome.conflicts ?? []).map(conflictText).sort()).toEqual(conflicts.map(({ manager, path }) => `${manager} ${path}`).sort());
    if (outcome.conflicts === undefined) this.#state = { ...this.#state, live: outcome.merged ?? live, managers: outcome.managers };
  }

  /** A client that first takes what it owns out of the live object. */
  #onTopOfOwn(operation: SmdOperation): TypedValue {
    const config = this.#parse(operation);
    if (this.#state.live === undefined) return config;
    const live = this.#liveAt(operation.apiVersion);
    const own = this.managers.get(operation.manager)?.set.leaves() ?? setOf({});
    return { ...config, value: mergeValues(config.type, extractFields(live.type, live.value, own), config.value) };
  }
}

const conflictText = ({ manager, path }: Conflict): string => `${manager} ${pathText(path)}`;

describe('structured merge, case by case', () => {
  const types = rootTypes(data);
  const cases = data.cases.map((smdCase, index) => ({ smdCase, index, name: `${index} ${smdCase.test || 'generated'}` }));

  test('the data is whole', () => {
    expect(cases).toHaveLength(404);
    expect(cases.filter(({ smdCase }) => smdCase.object === undefined)).toHaveLength(12);
    expect(cases.filter(({ smdCase }) => smdCase.managed === undefined)).toHaveLength(9);
    expect(cases.filter(({ smdCase }) => smdCase.ignoreFilter)).toHaveLength(7);
    expect(cases.filter(({ smdCase }) => smdCase.ops.some(({ op }) => op === 'fixture.ChangeParser'))).toHaveLength(3);
  });

  test.each(cases.filter(({ index }) => MUST_FAIL[index] === undefined))('$name', ({ smdCase }) => {
    const replay = new Replay(smdCase, types);
    for (const operation of smdCase.ops) replay.run(operation);
    if (smdCase.object !== undefined && smdCase.objectVersion !== undefined) {
      expect(replay.liveAt(smdCase.objectVersion)).toEqual(parse(smdCase.object));
    }
    expect([...replay.managers.values()].some(({ set }) => set.isEmpty)).toBe(false);
    if (smdCase.managed === undefined) return;
    // `applied` is not compared: in the data it often contradicts the operation that made the entry.
    const expected = Object.entries(smdCase.managed).map(([manager, { apiVersion, fieldsV1 }]) => [
      manager,
      { apiVersion, fields: pathsOf(setOf(fieldsV1)) },
    ]);
    const actual = [...replay.managers].map(([manager, { apiVersion, set }]) => [manager, { apiVersion, fields: pathsOf(set) }]);
    expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(expected));
  });

  test.each(Object.entries(MUST_FAIL))('%s fails: %s', (index, message) => {
    const smdCase = cases[Number(index)]?.smdCase as SmdCase;
    const replay = new Replay(smdCase, types);
    expect(() => {
      for (const operation of smdCase.ops) replay.run(operation);
    }).toThrow(message);
  });

  test.each([...ACCEPTED_SINCE])('%s, which older servers refuse, makes an item of the key that is there', (index) => {
    const smdCase = cases[index]?.smdCase as SmdCase;
    const replay = new Replay(smdCase, types);
    for (const operation of smdCase.ops) replay.run(operation);
    expect(pathsOf(replay.managers.get('default')?.set ?? setOf({}))).toContain('.containerPorts[protocol="TCP"]');
  });
});

function pathsOf(set: ReturnType<typeof setOf>): string[] {
  return set.paths().map(pathText);
}
