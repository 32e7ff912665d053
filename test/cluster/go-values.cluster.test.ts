import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goClient } from '../../scripts/cluster/go-client.js';
import { GoTypes } from '../../src/api-server/values/go-types/index.js';
import { kindsOf, packed, RECORDED_KINDS, recordedKinds } from '../api-server/values/go-types/recorded-kinds.js';

const client = goClient(join(__dirname, 'go-values'));
const suite = client.found ? describe : describe.skip;

/** What the tests of Go's types take for Go's word is what Go says. */
suite(`values that Go writes${client.found ? '' : ` [skipped: ${client.reason}]`}`, () => {
  test('are those that are recorded', () => {
    const { status, stdout, stderr } = spawnSync(client.found ? client.path : '', { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const types = new GoTypes();
    const lines = stdout
      .split('\n')
      .filter((line) => line !== '' && kindsOf(line).every((kind) => types.typeOf(kind) !== undefined))
      .join('\n');
    if (process.env['KEELSON_RECORD'] === '1') writeFileSync(RECORDED_KINDS, packed(lines));
    expect(recordedKinds()).toEqual(kindsOf(lines));
    expect(kindsOf(lines).length).toBeGreaterThan(100);
  });
});
