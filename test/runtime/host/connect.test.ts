import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineOperator } from 'keelson';
import { RUNTIME_DEFAULTS } from '../../../src/keelson/definition/index.js';
import { connectionFor } from '../../../src/runtime/host/connect.js';
import { migrationsOf } from '../../../src/runtime/host/migrations.js';
import { connectionOf } from '../../../src/runtime/http/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { MemoryLog } from '../harness/running-controller.js';
import { Website } from '../reconcile/website.js';

const clock = new FakeClock();

test('a connection that is given is taken; otherwise the environment names one', async () => {
  const connection = connectionOf({ server: 'https://given.example.com', clock });
  expect(await connectionFor({ connection }, clock)).toBe(connection);
  const directory = mkdtempSync(join(tmpdir(), 'keelson-connect-'));
  const KUBECONFIG = join(directory, 'config');
  const config = {
    clusters: [{ name: 'c', cluster: { server: 'https://found.example.com' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    users: [{ name: 'u', user: { token: 't' } }],
    'current-context': 'x',
  };
  writeFileSync(KUBECONFIG, JSON.stringify(config), { mode: 0o600 });
  expect((await connectionFor({ environment: { KUBECONFIG } }, clock)).server.toString()).toContain('https://found.example.com');
  rmSync(directory, { recursive: true });
});

test('stored versions are migrated of the CRDs that the settings name; one that the operator does not define is logged', () => {
  const operator = defineOperator({ name: 'website-operator', customResources: [Website] });
  const log = new MemoryLog();
  const shared = { client: {} as never, clock, log };
  expect(migrationsOf(operator, RUNTIME_DEFAULTS, shared)).toEqual([]);
  const storedVersions = ['websites.web.example.com', 'others.web.example.com'];
  expect(migrationsOf(operator, { ...RUNTIME_DEFAULTS, storedVersions }, shared)).toHaveLength(1);
  expect(log.lines).toEqual([
    {
      level: 'warn',
      message: 'stored versions of a CRD shall be migrated that the operator does not define',
      fields: { crd: 'others.web.example.com', known: ['websites.web.example.com'] },
    },
  ]);
});
