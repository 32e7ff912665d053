import { withoutCredentials } from '../../../src/runtime/masking/index.js';

/** Pieces of which patterns may begin to match, and never end. */
const PIECES = [
  '-eyJaaaa',
  'eyJaaaaaaaa.',
  'bearer ',
  'basic a',
  '://a:',
  'a=',
  'password=(',
  '{(',
  'password="',
  'password=\\"',
  "token='",
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN A ',
  'AKIA',
  'LS0tLS1CRUdJTi',
  'aaaaaaaa',
  '\\',
  '"',
  ' ',
  'password: Invalid value: ',
  'password: |\n',
  'token:\n',
  'password:\\n ',
  'password: |\\\\n  ',
  '\n  ',
  'name: db_password, value: ',
  '"name":"a","value":"',
  '--password ',
  "--token '-",
  '"--password","',
  'password=["',
  'password=[a ',
  'password=[[',
  'password=a[',
  `password=a'`,
  '[',
  'stringData={',
  'token: [',
  '://a:b@',
  '://@',
  '@',
  'curl ',
  '"curl","-u","',
  'mysql -p',
  'pass:',
  '"path":"/data/a","value":"',
  '"value":"a","op":"add","path":',
  'value: ',
  'kind: Secret\ndata: {',
];

/** Milliseconds of the processor: what else a machine does is not counted. */
function costOf(text: string): number {
  const before = process.cpuUsage();
  withoutCredentials(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

test('S8 masking takes time by the length of the text, whatever that is', () => {
  const worst = (length: number): number => {
    let slowestMs = 0;
    for (const first of PIECES)
      for (const second of PIECES) {
        const text = `${(first + second).repeat(length / (first.length + second.length))}\\`;
        slowestMs = Math.max(slowestMs, costOf(text));
      }
    return slowestMs;
  };
  // Half a megabyte: what is quadratic takes minutes.
  expect(worst(64 * 1024)).toBeLessThan(1_000);
  const text = '-eyJaaaa'.repeat(64 * 1024);
  expect(costOf(text)).toBeLessThan(3_000);
});
