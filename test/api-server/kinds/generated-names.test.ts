import { builtinResources } from '../../../src/api-server/kinds/builtin/index.js';
import { served, surroundings } from './builtin/surroundings.js';
import { resourceOf, versionOf, widgets } from './custom-resources/definitions.js';

test.each([
  ['a-', []],
  ['-', ['refused']],
  // The server looks at neither the dash nor what stands before it.
  ['a_-', []],
])('a generated name may begin with %j', (prefix, problems) => {
  const pods = served(builtinResources(surroundings), { group: '', version: 'v1', plural: 'pods' });
  const sets = served(builtinResources(surroundings), { group: 'apps', version: 'v1', plural: 'statefulsets' });
  for (const { strategy } of [pods, sets, versionOf(resourceOf(widgets()))]) {
    expect(strategy.nameProblems(prefix, true).map(() => 'refused')).toEqual(problems);
  }
});
