import { ConfigMap } from 'keelson/kinds';
import type { SelectorsModel } from '../../../src/keelson/definition/index.js';
import type { KindInfo } from '../../../src/kubernetes/apimachinery/index.js';
import type { CacheChange, Informer, StoredObject } from '../../../src/runtime/cache/index.js';
import { Selections } from '../../../src/runtime/reconcile/selections.js';

type Labels = Readonly<Record<string, string>>;

interface Selecting extends StoredObject {
  readonly selectors: { readonly labels?: object; readonly namespaces?: object };
}

const objectOf = (kind: string, name: string, labels?: Labels, namespace?: string): StoredObject => ({
  apiVersion: 'v1',
  kind,
  metadata: {
    name,
    uid: name,
    resourceVersion: '1',
    ...(labels === undefined ? {} : { labels }),
    ...(namespace === undefined ? {} : { namespace }),
  },
});

/** Objects that select, and what their controller holds. */
function scene(selectors: Selecting['selectors']) {
  const model: SelectorsModel = { selecting: ConfigMap, ownNamespace: false, selectors: (object: Selecting) => object.selectors as never };
  const selections = new Selections({ handle: 'configs', model, watched: ConfigMap as KindInfo });
  const selecting: Selecting = { ...objectOf('Collector', 's', undefined, 'home'), selectors };
  const primary = {
    list: ({ index }: { readonly index: Labels }) =>
      Object.entries(index).every(([name, value]) => selections.indexes[name]?.(selecting).includes(value)) ? [selecting] : [],
  } as unknown as Informer;
  const namespacesOf = (labels: Labels | undefined, hasSynced = true): Informer =>
    ({ hasSynced, get: () => (labels === undefined ? undefined : objectOf('Namespace', 'shop', labels)) }) as unknown as Informer;
  const config = objectOf('ConfigMap', 'c', { team: 'a' }, 'shop');
  const holding = (...configs: readonly StoredObject[]): Informer => ({ list: () => configs }) as unknown as Informer;
  const isSelected = (namespaces: Informer | undefined): boolean => selections.of(config, primary, namespaces).length > 0;
  const changed = (change: Pick<CacheChange, 'type' | 'object' | 'previous'>, ...configs: readonly StoredObject[]): readonly string[] =>
    selections
      .changedBy({ isInitial: false, isLastStateUnknown: false, ...change } as CacheChange, primary, holding(...configs))
      .map(({ selected }) => selected.metadata.name);
  return { namespacesOf, config, isSelected, changed };
}

const TEAM_A = { matchLabels: { team: 'a' } };
const namespace = (labels?: Labels): StoredObject => objectOf('Namespace', 'shop', labels);

test('a namespace that is not known yet counts as selected, and one that is known by its labels', () => {
  const { isSelected, namespacesOf } = scene({ labels: TEAM_A, namespaces: { matchLabels: { stage: 'test' } } });
  expect([undefined, namespacesOf({}, false), namespacesOf(undefined)].map(isSelected)).toEqual([true, true, true]);
  expect([namespacesOf({ stage: 'test' }), namespacesOf({ stage: 'live' }), namespacesOf({})].map(isSelected)).toEqual([
    true,
    false,
    false,
  ]);
});

test('who has no selector selects nothing, though all namespaces would be selected', () => {
  const { isSelected, namespacesOf, changed, config } = scene({ namespaces: {} });
  expect(isSelected(namespacesOf({}))).toBe(false);
  expect(changed({ type: 'added', object: namespace(), previous: undefined }, config)).toEqual([]);
});

test('a namespace that comes or goes is one that begins or ceases to be selected, also by what it does not have', () => {
  const { changed, config } = scene({
    labels: TEAM_A,
    namespaces: { matchExpressions: [{ key: 'stage', operator: 'DoesNotExist' }] },
  });
  expect(changed({ type: 'added', object: namespace(), previous: undefined }, config)).toEqual(['c']);
  expect(changed({ type: 'deleted', object: namespace(), previous: namespace() }, config)).toEqual(['c']);
  expect(changed({ type: 'added', object: namespace({ stage: 'test' }), previous: undefined }, config)).toEqual([]);
});

test('a namespace whose labels change matters where its selection changes and something is selected in it', () => {
  const { changed, config } = scene({ labels: TEAM_A, namespaces: { matchLabels: { stage: 'test' } } });
  const other = objectOf('ConfigMap', 'd', { team: 'b' }, 'shop');
  const [test, live] = [namespace({ stage: 'test' }), namespace({ stage: 'live' })];
  expect(changed({ type: 'modified', object: test, previous: live }, other, config)).toEqual(['c']);
  expect(changed({ type: 'modified', object: live, previous: test }, config)).toEqual(['c']);
  expect(changed({ type: 'modified', object: test, previous: live }, other)).toEqual([]);
  expect(changed({ type: 'modified', object: namespace({ stage: 'test', more: 'x' }), previous: test }, config)).toEqual([]);
  expect(changed({ type: 'modified', object: test, previous: test }, config)).toEqual([]);
});

test('who names no namespaces does not look at their labels', () => {
  const { changed, config } = scene({ labels: TEAM_A });
  expect(changed({ type: 'added', object: namespace({ team: 'a' }), previous: undefined }, config)).toEqual([]);
});
