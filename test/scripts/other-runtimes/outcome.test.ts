import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outcomeOf } from '../../../scripts/other-runtimes/outcome.js';

const folder = mkdtempSync(join(tmpdir(), 'keelson-outcome-'));
afterAll(() => rmSync(folder, { recursive: true }));
const outcome = (run: string): ReturnType<typeof outcomeOf> => outcomeOf({ name: 'a program', run }, [process.execPath], folder);

test('a program that ends well is told by what it writes', () => {
  expect(outcome("console.log('a');")).toEqual({ ended: true, text: 'a\n' });
});

test('a program that fails does not pass, whatever it has written, and its error is told without the advice', () => {
  expect(outcome("console.log('a'); throw new Error('b lacks c; install it');")).toEqual({ ended: false, text: 'b lacks c' });
});

test('a program that fails without an error is told by its last words', () => {
  expect(outcome("console.error('first'); console.error('last'); process.exitCode = 1;")).toEqual({ ended: false, text: 'last' });
});
