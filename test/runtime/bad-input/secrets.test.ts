import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InProcessCluster, TestCluster } from '@keelson/testing';
import { type Done, defineController, defineCustomResource, defineOperator, k, type Resource, validating } from 'keelson';
import { Secret } from 'keelson/kinds';
import { z } from 'zod';
import { RUNTIME_DEFAULTS, type RuntimeSettings } from '../../../src/keelson/definition/index.js';
import { CertificateAuthority } from '../../../src/kubernetes/certificates/index.js';
import { start } from '../../../src/runtime/host/index.js';
import { connectionOf } from '../../../src/runtime/http/index.js';
import { createLog } from '../../../src/runtime/telemetry/index.js';

const Vault = defineCustomResource({
  group: 'test.example.com',
  kind: 'Vault',
  versions: { v1: { spec: z.object({ how: z.string() }), status: z.object({ conditions: k.conditions() }) } },
});
interface Vault extends Resource<typeof Vault> {}

const PASSWORD = 'hunter2-hunter2-hunter2';
/** What would show of it where it is cut. */
const PIECE = PASSWORD.slice(0, 7);
const PIN = 9_071_225_531;
const METRICS_TOKEN = 'scraper-4711-4711-4711';
const JWT = 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiJtZSIsImlzcyI6ImEifQ.c2lnbmF0dXJlLW9mLW1l';
const pair = CertificateAuthority.create({ commonName: 'test' }).issueServing({ dnsNames: ['hook.test.svc'] });
const KEY_LINE = pair.privateKey.split('\n')[1] ?? '';

/** What goes wrong with an object of each name. */
const MISHAPS: Readonly<Record<string, (object: Vault) => readonly object[]>> = {
  'wrong-type': () => [{ ...Secret({ metadata: { name: 'wrong-type' } }), stringData: { pin: PIN } }],
  'wrong-type-in-data': () => [{ ...Secret({ metadata: { name: 'wrong-type-in-data' } }), data: { pin: PIN } }],
  'nested-type': () => [{ ...Secret({ metadata: { name: 'nested-type' } }), stringData: { a: { b: PASSWORD } } }],
  'no-base64': () => [Secret({ metadata: { name: 'no-base64' }, data: { password: `${PASSWORD}!` } })],
  'bad-key': () => [Secret({ metadata: { name: 'bad-key' }, stringData: { 'not a key': PASSWORD } })],
  'unknown-field': () => [{ ...Secret({ metadata: { name: 'unknown-field' } }), more: { a: PASSWORD } }],
  'bad-docker': () => [
    Secret({
      metadata: { name: 'bad-docker' },
      type: 'kubernetes.io/dockerconfigjson',
      stringData: { '.dockerconfigjson': `{"auths": "${PASSWORD}` },
    }),
  ],
  'too-large': () => [Secret({ metadata: { name: 'too-large' }, stringData: { a: PASSWORD.repeat(200_000) } })],
  'other-kind': () => [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { a: PASSWORD } }],
  bearer: () => {
    throw new Error(`GET https://x: 401: sent Authorization: Bearer ${PASSWORD}`, { cause: new Error(`with ${JWT}`) });
  },
  url: () => {
    throw new Error(`connect postgres://me:${PASSWORD}@db/x failed`);
  },
  key: () => {
    throw Object.assign(new Error(`cannot use ${pair.privateKey}`), { request: { headers: { authorization: PASSWORD } } });
  },
};

const operator = defineOperator({
  name: 'vaults',
  controllers: [
    defineController({
      name: 'vault',
      for: Vault,
      owns: { secrets: Secret },
      reconcile: ({ object, done, log }): Done => {
        log.info('looked at', { object, secret: Secret({ metadata: { name: 'x' }, stringData: { a: PASSWORD } }), password: PASSWORD });
        return done({ owned: { secrets: MISHAPS[object.spec.how]?.(object) ?? [] } as never });
      },
    }),
  ],
  webhooks: [
    validating(Vault, () => {
      throw new Error(`cannot reach https://me:${PASSWORD}@example.com`);
    }),
  ],
});

let cluster: InProcessCluster;
let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'keelson-secrets-'));
  writeFileSync(join(directory, 'tls.crt'), pair.certificate);
  writeFileSync(join(directory, 'tls.key'), pair.privateKey);
  cluster = await TestCluster.start({ operator, webhooks: false, namespace: 'shop' });
});
afterAll(async () => {
  await cluster.close();
  rmSync(directory, { recursive: true });
});

function ask(port: number, path: string, { body, token }: { readonly body?: string; readonly token?: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
    const agent = new Agent({ rejectUnauthorized: false });
    const call = httpsRequest(
      { host: '127.0.0.1', port, path, method: body === undefined ? 'GET' : 'POST', headers, agent },
      (response) => {
        response.resume().on('end', () => {
          agent.destroy();
          resolve(response.statusCode ?? 0);
        });
      },
    );
    call.on('error', reject).end(body);
  });
}

test('no secret is in the log of a run in which everything goes wrong, at whatever level, nor in a status or an event', async () => {
  const lines: string[] = [];
  const token = cluster.server.tokenFor({ username: 'operator', groups: ['system:masters', 'system:authenticated'] });
  const settings: RuntimeSettings = {
    ...RUNTIME_DEFAULTS,
    healthPort: 0,
    webhookPort: 0,
    leaseName: 'vaults',
    metrics: { port: 0, secure: true },
    certificates: { mode: 'mounted', directory },
  };
  const running = await start(operator, {
    connection: connectionOf({ server: cluster.server.url, ca: cluster.server.certificateAuthority, token }),
    log: await createLog({ level: 'debug', format: 'json', write: (line) => void lines.push(line) }),
    environment: { POD_NAME: 'a', POD_NAMESPACE: 'vaults-system' },
    settings,
    processMetrics: false,
  });
  const hows = Object.keys(MISHAPS);
  for (const how of hows) await cluster.create(Vault({ metadata: { name: how }, spec: { how } }));
  const failed = (how: string): boolean => lines.some((line) => line.includes('"reconciling failed') && line.includes(`"shop/${how}"`));
  await cluster.until(() => expect(hows.filter((how) => !failed(how))).toEqual([]));
  cluster.faults.fail({ verb: 'create', kind: 'tokenreviews.authentication.k8s.io', status: 500, times: 1 });
  const { metrics = 0 } = running.ports;
  for (let tries = 0; tries < 2; tries += 1) await ask(metrics, '/metrics', { token: METRICS_TOKEN });
  const port = (await running.servingWebhooks) ?? 0;
  const path = operator.webhooks[0]?.path ?? '';
  for (const body of [PASSWORD, `{"a": ${PASSWORD}}`, `{"kind":"AdmissionReview","x":"${PASSWORD}`, JSON.stringify(PASSWORD)])
    expect(await ask(port, path, { body })).toBe(400);
  const object = { apiVersion: 'test.example.com/v1', kind: 'Vault', metadata: { name: 'a' }, spec: { how: PASSWORD } };
  const request = { uid: 'u', operation: 'CREATE', name: 'a', namespace: 'shop', object };
  expect(await ask(port, path, { body: JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request }) })).toBe(
    500,
  );
  await running.stop();

  const vaults = await cluster.list(Vault);
  const stored = JSON.stringify(vaults.map(({ status }) => status));
  const secrets = [
    PIECE,
    Buffer.from(PASSWORD).toString('base64').slice(0, -4),
    String(PIN),
    METRICS_TOKEN,
    token,
    JWT.slice(20),
    KEY_LINE,
  ];
  const leaks = lines.filter((line) => secrets.some((secret) => line.includes(secret)));
  expect(leaks.map((line) => line.slice(0, 2_000))).toEqual([]);
  expect(lines.length).toBeGreaterThan(20);
  for (const secret of [PIECE, String(PIN)]) expect([secret, stored.includes(secret)]).toEqual([secret, false]);
});
