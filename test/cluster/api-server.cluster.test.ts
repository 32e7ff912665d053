import { reportOf } from './differential/report.js';
import { compareScript } from './differential/script.js';
import { scripts } from './differential/scripts/index.js';
import { type Pair, startPair } from './differential/servers.js';
import { webhookAnswers } from './differential/webhook-answers.js';
import { describeCluster, servingCertificate, WebhookServer } from './harness/index.js';

const EXCHANGES = scripts.reduce((sum, { steps }) => sum + steps.length, 0);

/** Every exchange of every script, on the embedded server and on a real one: `-` is what the embedded one says, `+` the real one. */
describeCluster('the embedded server answers as a kube-apiserver', () => {
  let pair: Pair;
  let hooks: WebhookServer;
  let variables: Readonly<Record<string, string>>;
  beforeAll(async () => {
    const certificate = servingCertificate(['localhost']);
    hooks = await WebhookServer.listen(certificate);
    for (const [path, answer] of Object.entries(webhookAnswers)) hooks.answer(path, answer);
    variables = { hooks: `https://localhost:${hooks.port}`, ca: Buffer.from(certificate.certificate).toString('base64') };
    pair = await startPair();
  });
  afterAll(async () => {
    await pair.stop();
    await hooks.close();
  });

  test.each(scripts.map((script) => [script.name, script] as const))('%s', async (_name, script) => {
    expect(reportOf(await compareScript(script, pair.speakers, variables))).toBe('');
  });

  test(`${EXCHANGES} exchanges are compared: at least 400`, () => {
    expect(EXCHANGES).toBeGreaterThanOrEqual(400);
  });
});
