import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configOf } from '../../../scripts/images/dockerfile.js';

const EXAMPLES = join(__dirname, '../../../examples');
const operators = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, 'Dockerfile')));

test('the examples have Dockerfiles', () => {
  expect(operators).toEqual(expect.arrayContaining(['memcached', 'sidecarset']));
});

test.each(operators)('the Dockerfile of %s starts its operator without root and without a shell', (name) => {
  expect(configOf(readFileSync(join(EXAMPLES, name, 'Dockerfile'), 'utf8'))).toEqual({
    entrypoint: ['node', 'build/operator.mjs'],
    user: '65532:65532',
    workingDirectory: '/app',
    environment: { NODE_ENV: 'production' },
  });
});

test.each([
  ['RUN', 'FROM a\nRUN rm -rf /\nUSER 1\nWORKDIR /\nENTRYPOINT ["a"]\n', 'RUN in the last stage of a Dockerfile is not understood'],
  ['no USER', 'FROM a\nWORKDIR /\nENTRYPOINT ["a"]\n', 'lacks USER'],
  ['a shell', 'FROM a\nUSER 1\nWORKDIR /\nENTRYPOINT node a.js\n', 'a shell passes no signal on'],
])('%s is refused', (_, text, message) => {
  expect(() => configOf(text)).toThrow(message);
});

test('of several stages the last one counts', () => {
  const text = 'FROM a AS build\nRUN make\nUSER 0:0\n\nFROM b\n# who\nUSER 1:1\nWORKDIR /app\nENV A=b=c\nENTRYPOINT ["a"]\n';
  expect(configOf(text)).toEqual({ entrypoint: ['a'], user: '1:1', workingDirectory: '/app', environment: { A: 'b=c' } });
});
