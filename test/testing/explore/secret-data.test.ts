import { describe as inWords } from '../../../src/testing/explore/describe.js';

test('a mistake in the data of a Secret is told without the data', () => {
  const mistake = (kind: string) =>
    ({ do: 'mistake', after: 0, mistake: { kind, name: 'a', path: ['data', 'b'], value: 'hunter2' } }) as never;
  expect(inWords(mistake('Secret'))).toBe('after step 1 data.b of Secret a is [hidden] for a while');
  expect(inWords(mistake('ConfigMap'))).toBe('after step 1 data.b of ConfigMap a is "hunter2" for a while');
});
