import { describe as inWords } from '../../../src/testing/explore/describe.js';
import { differenceOf } from '../../../src/testing/explore/play.js';

test('a difference in the data of a Secret is told without the data', () => {
  const lines = (data: string): string[] => [
    `Secret a data.tls.key: "${data}"`,
    `Secret a metadata.annotations.example.com/last: "${data}"`,
    `Secret a stringData.b: "${data}"`,
    'Secret a type: "Opaque"',
    `ConfigMap a data.b: "${data}"`,
  ];
  expect(differenceOf(lines('aHVudGVyMg=='), lines('b3RoZXI='))).toEqual([
    '- Secret a data.tls.key: [hidden]',
    '- Secret a metadata.annotations.example.com/last: [hidden]',
    '- Secret a stringData.b: [hidden]',
    '- ConfigMap a data.b: "aHVudGVyMg=="',
    '+ Secret a data.tls.key: [hidden]',
    '+ Secret a metadata.annotations.example.com/last: [hidden]',
    '+ Secret a stringData.b: [hidden]',
    '+ ConfigMap a data.b: "b3RoZXI="',
  ]);
});

test('a mistake in the data of a Secret is told without the data', () => {
  const mistake = (kind: string) =>
    ({ do: 'mistake', after: 0, mistake: { kind, name: 'a', path: ['data', 'b'], value: 'hunter2' } }) as never;
  expect(inWords(mistake('Secret'))).toBe('after step 1 data.b of Secret a is [hidden] for a while');
  expect(inWords(mistake('ConfigMap'))).toBe('after step 1 data.b of ConfigMap a is "hunter2" for a while');
});
