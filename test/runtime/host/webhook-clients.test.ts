import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineOperator, type OperatorModel, validating } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { RUNTIME_DEFAULTS, type RuntimeSettings } from '../../../src/keelson/definition/index.js';
import { CertificateAuthority, type KeyPair } from '../../../src/kubernetes/certificates/index.js';
import { type RunningOperator, start } from '../../../src/runtime/host/index.js';
import { connectionOf } from '../../../src/runtime/http/index.js';
import { eventually } from '../../eventually.js';
import { Cache } from '../admission/kinds.js';
import { MemoryLog } from '../harness/running-controller.js';

const SERVER = CertificateAuthority.create({ commonName: 'server' });
const CLIENTS = CertificateAuthority.create({ commonName: 'clients' });
const OTHERS = CertificateAuthority.create({ commonName: 'others' });
const apiServerOf = (authority: CertificateAuthority): KeyPair => authority.issueClient({ subject: [['CN', 'apiserver']] });

const webhooksOnly = defineOperator({ name: 'webhooks-only', webhooks: [validating(ConfigMap, () => [], { path: '/checked' })] });
const converting = defineOperator({ name: 'converting', webhooks: [validating(Cache, () => [], { path: '/checked' })] });

let directory: string;
let authorityFile: string;
let operator: RunningOperator | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keelson-webhook-clients-'));
  authorityFile = join(directory, 'clients.crt');
  const { certificate, privateKey } = SERVER.issueServing({ dnsNames: ['hook.test.svc'] });
  writeFileSync(join(directory, 'tls.crt'), certificate);
  writeFileSync(join(directory, 'tls.key'), privateKey);
});
afterEach(async () => {
  jest.useRealTimers();
  await operator?.stop().catch(() => undefined);
  operator = undefined;
  rmSync(directory, { recursive: true });
});

/** Starts an operator as its Pod would; the API server cannot be reached, as no webhook needs it. */
async function begin(model: OperatorModel, settings: Pick<RuntimeSettings, 'webhookClientAuthorityFile'>): Promise<RunningOperator> {
  operator = await start(model, {
    connection: connectionOf({ server: 'https://127.0.0.1:1', token: 'none' }),
    environment: {},
    settings: {
      ...RUNTIME_DEFAULTS,
      listenAddress: '127.0.0.1',
      healthPort: 0,
      webhookPort: 0,
      metrics: undefined,
      certificates: { mode: 'mounted', directory },
      ...settings,
    },
    log: new MemoryLog(),
    processMetrics: false,
  });
  return operator;
}

/** Status of an answer, on a connection of its own, or the reason why there is none. */
function ask(port: number, client?: KeyPair): Promise<number | string> {
  return new Promise((resolve) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        path: '/checked',
        method: 'GET',
        ca: SERVER.certificate,
        servername: 'hook.test.svc',
        agent: false,
        ...(client === undefined ? {} : { cert: client.certificate, key: client.privateKey }),
      },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    call.end();
  });
}

/** A webhook answers POST alone: 405 is the answer to a client that is let in. */
const LET_IN = 405;
const REFUSED = expect.stringMatching(/TLS|ECONNRESET|EPIPE/);

test('without an authority of clients, every client is answered', async () => {
  const port = (await (await begin(webhooksOnly, {})).servingWebhooks) ?? 0;
  expect([await ask(port), await ask(port, apiServerOf(CLIENTS))]).toEqual([LET_IN, LET_IN]);
});

test('with one, only clients with a certificate of it are answered', async () => {
  writeFileSync(authorityFile, CLIENTS.certificate);
  const port = (await (await begin(webhooksOnly, { webhookClientAuthorityFile: authorityFile })).servingWebhooks) ?? 0;
  const answers = [await ask(port), await ask(port, apiServerOf(OTHERS)), await ask(port, apiServerOf(CLIENTS))];
  expect(answers).toEqual([REFUSED, REFUSED, LET_IN]);
});

test('a file that changes counts for new connections within a minute', async () => {
  jest.useFakeTimers({ doNotFake: ['Date', 'performance', 'hrtime', 'nextTick', 'queueMicrotask', 'setImmediate', 'setInterval'] });
  writeFileSync(authorityFile, CLIENTS.certificate);
  const port = (await (await begin(webhooksOnly, { webhookClientAuthorityFile: authorityFile })).servingWebhooks) ?? 0;
  const [former, next] = [apiServerOf(CLIENTS), apiServerOf(OTHERS)];
  expect([await ask(port, former), await ask(port, next)]).toEqual([LET_IN, REFUSED]);
  writeFileSync(authorityFile, OTHERS.certificate);
  jest.advanceTimersByTime(60_000);
  await eventually(async () => (await ask(port, next)) === LET_IN);
  expect([await ask(port, former), await ask(port, next), await ask(port)]).toEqual([REFUSED, LET_IN, REFUSED]);
});

test('a missing file ends the operator: otherwise every client would be answered', async () => {
  const { ended } = await begin(webhooksOnly, { webhookClientAuthorityFile: authorityFile });
  await expect(ended).rejects.toThrow(/the client authority of the webhooks cannot be read: ENOENT/);
});

test('an operator that converts does not start with one: API servers show conversions no certificate', async () => {
  writeFileSync(authorityFile, CLIENTS.certificate);
  await expect(begin(converting, { webhookClientAuthorityFile: authorityFile })).rejects.toThrow(
    /^KEELSON_WEBHOOK_CLIENT_AUTHORITY_FILE: API servers show no certificate when they ask for a conversion, and this operator converts/,
  );
});
