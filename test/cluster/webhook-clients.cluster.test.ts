import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningOperator, start } from '@keelson/runtime';
import { defineOperator, mutating, validating } from 'keelson';
import { Operator } from 'keelson/constructs';
import { ConfigMap } from 'keelson/kinds';
import { RUNTIME_CONTRACT, type RuntimeSettings, runtimeSettingsOf } from '../../src/keelson/definition/index.js';
import { CertificateAuthority, type KeyPair } from '../../src/kubernetes/certificates/index.js';
import { connectionOf } from '../../src/runtime/http/index.js';
import { eventually } from '../eventually.js';
import { MemoryLog } from '../runtime/harness/running-controller.js';
import { applyAll } from './checks/index.js';
import { describeCluster, type LocalCluster, ServiceNetwork, type Status, startCluster, type TestObject } from './harness/index.js';
import { manifestsOf } from './manifests/index.js';

const NAMESPACE = 'guarded-system';
const CONFIGS = '/api/v1/namespaces/team/configmaps';

const operator = defineOperator({
  name: 'guarded',
  webhooks: [
    mutating(ConfigMap, {
      apply: (config) => {
        config.data = { ...config.data, seen: 'yes' };
      },
    }),
    validating(ConfigMap, ({ metadata }) => (metadata.name === 'refused' ? 'this name is refused' : [])),
  ],
});

/** The two files that docs/running.md describes, as they stand there. */
function documentedFiles(): { readonly configuration: string; readonly kubeconfig: string } {
  const page = readFileSync('docs/running.md', 'utf8');
  const section = page.slice(page.indexOf('## Who may call the webhooks'), page.indexOf('## Stored versions'));
  const [configuration = '', kubeconfig = ''] = [...section.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text);
  return { configuration, kubeconfig };
}

describeCluster('a webhook server that answers API servers alone', () => {
  const clients = CertificateAuthority.create({ commonName: 'webhook clients' });
  const apiServer = clients.issueClient({ subject: [['CN', 'apiserver']] });
  const folder = mkdtempSync(join(tmpdir(), 'keelson-webhook-clients-'));
  let network: ServiceNetwork;
  let cluster: LocalCluster;
  let running: RunningOperator;
  let port: number;

  beforeAll(async () => {
    cluster = await startCluster({ apiServerFlags: [`--admission-control-config-file=${writeApiServerFiles()}`] });
    network = await ServiceNetwork.open(cluster);
    await cluster.must('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
    const manifests = manifestsOf(NAMESPACE, (chart) => {
      const webhookClientAuthority = { configMap: 'webhook-clients' };
      new Operator(chart, 'operator', { operator, image: 'example:1', createNamespace: true, webhookClientAuthority });
    });
    await applyAll(cluster, manifests);
    running = await startOperator(manifests);
    port = (await running.servingWebhooks) ?? 0;
    const service = await cluster.must<{ spec: { clusterIP: string } }>('GET', `/api/v1/namespaces/${NAMESPACE}/services/guarded-webhook`);
    network.route(`${service.spec.clusterIP}:443`, port);
  });
  afterAll(async () => {
    await running?.stop();
    await cluster?.stop();
    await network?.close();
    rmSync(folder, { recursive: true });
  });

  /** @returns the file for the flag */
  function writeApiServerFiles(): string {
    const { configuration, kubeconfig } = documentedFiles();
    const here = (text: string): string => text.replaceAll('/etc/kubernetes', folder).replaceAll('my-system', NAMESPACE);
    writeFileSync(join(folder, 'webhooks.crt'), apiServer.certificate);
    writeFileSync(join(folder, 'webhooks.key'), apiServer.privateKey, { mode: 0o600 });
    writeFileSync(join(folder, 'webhooks.kubeconfig'), here(kubeconfig));
    const file = join(folder, 'admission.yaml');
    writeFileSync(file, here(configuration));
    return file;
  }

  /** As its Pod would: by the environment of the Deployment, with the rights of its ServiceAccount, and the authority mounted elsewhere. */
  async function startOperator(manifests: readonly TestObject[]): Promise<RunningOperator> {
    const deployment = manifests.find(({ kind }) => kind === 'Deployment') as unknown as {
      spec: { template: { spec: { containers: { env: { name: string; value?: string }[] }[] } } };
    };
    const env = deployment.spec.template.spec.containers[0]?.env ?? [];
    const told = runtimeSettingsOf(Object.fromEntries(env.map(({ name, value }) => [name, value])));
    const { directory, file } = RUNTIME_CONTRACT.clientAuthority;
    expect(told.webhookClientAuthorityFile).toBe(`${directory}/${file}`);
    writeFileSync(join(folder, file), clients.certificate);
    const settings: RuntimeSettings = {
      ...told,
      webhookClientAuthorityFile: join(folder, file),
      listenAddress: '127.0.0.1',
      webhookPort: 0,
      healthPort: 0,
      metrics: undefined,
      leaseName: undefined,
    };
    const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/guarded/token`;
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const { status } = await cluster.must<{ status: { token: string } }>('POST', path, body);
    return start(operator, {
      connection: connectionOf({ server: cluster.url, ca: cluster.connection.ca, token: status.token }),
      environment: { POD_NAME: 'guarded-0', POD_NAMESPACE: NAMESPACE },
      settings,
      log: new MemoryLog(),
      webhookLingerMs: 0,
      processMetrics: false,
    });
  }

  const config = (name: string): TestObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

  /** Status of the answer to a client that asks the operator itself, or the reason why there is none. */
  function ask(client?: KeyPair): Promise<number | string> {
    return new Promise((resolve) => {
      const certificate = client === undefined ? {} : { cert: client.certificate, key: client.privateKey };
      const call = request({ host: '127.0.0.1', port, rejectUnauthorized: false, agent: false, ...certificate }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      call.end();
    });
  }

  test('the API server is answered: it shows the certificate of the kubeconfig', async () => {
    // The API server learns of the configurations, and of the operator's own authority in them, by watches, a moment after it has stored them.
    const isTrusted = async (): Promise<true> => {
      const { status, body } = await cluster.request<TestObject>('POST', CONFIGS, config('probe'), { query: { dryRun: 'All' } });
      const judged = await cluster.request('POST', CONFIGS, config('refused'), { query: { dryRun: 'All' } });
      expect([status, body['data'], judged.status]).toEqual([201, { seen: 'yes' }, 403]);
      return true;
    };
    await eventually(isTrusted, 'the webhooks answer', () => true);
    const { status, body } = await cluster.request<Status>('POST', CONFIGS, config('refused'));
    expect([status, body.message]).toEqual([403, expect.stringContaining('denied the request: this name is refused')]);
  });

  test('a client without a certificate, or with another one, is not', async () => {
    const stranger = CertificateAuthority.create({ commonName: 'others' }).issueClient({ subject: [['CN', 'apiserver']] });
    const refused = expect.stringMatching(/TLS|ECONNRESET|EPIPE/);
    // No webhook is served at `/`: 404 is the answer to a client that is let in.
    expect([await ask(), await ask(stranger), await ask(apiServer)]).toEqual([refused, refused, 404]);
  });
});
