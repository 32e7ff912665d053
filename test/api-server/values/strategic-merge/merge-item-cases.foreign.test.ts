import { applyStrategicMergePatch } from '../../../../src/api-server/values/strategic-merge/index.js';
import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';
import { mergeItemType, type PatchCase, readMergeItemData } from './merge-item-cases.js';
import { sortMergeLists } from './sort-merge-lists.js';

const data = readMergeItemData();

/** Fields that are null are not there: the data writes what a user wrote. */
function withoutNulls(value: Json): Json {
  return JSON.parse(JSON.stringify(value, (_key, item: unknown) => item ?? undefined)) as Json;
}

describe('strategic merge, case by case', () => {
  const { created, custom, sorted } = data;
  const typed = (): ReturnType<typeof mergeItemType> => mergeItemType(data);

  test('the data is whole', () => {
    expect([created.length, custom.length, sorted.length]).toEqual([22, 18, 8]);
  });

  test.each([...created, ...custom].map((patchCase): [string, PatchCase] => [patchCase.description, patchCase]))(
    'two-way: %s',
    (_description, { original = {}, twoWay = {}, modified = {}, twoWayResult = modified }) => {
      const result = applyStrategicMergePatch(original, twoWay, typed());
      expect(sortMergeLists(result, typed())).toEqual(sortMergeLists(withoutNulls(twoWayResult) as typeof result, typed()));
    },
  );

  // The custom cases have a two-way patch alone.
  test.each(created.map((patchCase): [string, PatchCase] => [patchCase.description, patchCase]))(
    'three-way: %s',
    (_description, { current = {}, threeWay = {}, result = {} }) => {
      expect(sortMergeLists(applyStrategicMergePatch(current, threeWay, typed()), typed())).toEqual(sortMergeLists(result, typed()));
    },
  );

  test.each(sorted.map((sortCase): [string, typeof sortCase] => [sortCase.description, sortCase]))(
    '%s',
    (_description, { original, sorted: expected }) => {
      expect(sortMergeLists(original, typed())).toEqual(expected);
    },
  );
});
