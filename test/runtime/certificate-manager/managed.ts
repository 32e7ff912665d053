import { type InProcessCluster, TestCluster } from '@keelson/testing';
import { defaulting, defineCustomResource, defineOperator, validating } from 'keelson';
import { CustomResourceDefinition, MutatingWebhookConfiguration, Secret, ValidatingWebhookConfiguration } from 'keelson/kinds';
import { z } from 'zod';
import type { SelfManagedCertificateSettings } from '../../../src/keelson/definition/index.js';
import { CertificateManager, type CertificateManagerOptions } from '../../../src/runtime/certificate-manager/index.js';
import { type ApiClient, createClient } from '../../../src/runtime/client/index.js';
import { systemClock } from '../../../src/runtime/clock/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { connectionTo } from '../harness/connection.js';
import { MemoryLog } from '../harness/running-controller.js';

export const Shop = defineCustomResource({
  group: 'shop.example.com',
  kind: 'Shop',
  versions: {
    v1: { spec: z.object({ size: z.number().int().default(3), label: z.string().optional() }), storage: true },
    v1beta1: { spec: z.object({ replicas: z.number().int() }) },
  },
  convert: {
    v1beta1: {
      toStorage: ({ spec: { replicas } }) => ({ spec: { size: replicas } }),
      fromStorage: ({ spec }) => ({ spec: { replicas: spec.size } }),
      lossy: { fromStorage: { 'spec.label': 'v1beta1 has no label' } },
    },
  },
});

export const shopOperator = defineOperator({
  name: 'shop',
  controllers: [],
  webhooks: [
    defaulting(Shop, (shop) => {
      shop.spec.label ??= 'set';
    }),
    validating(Shop, ({ spec }) => (spec.size % 2 === 0 ? [{ path: 'spec.size', message: 'must be odd' }] : [])),
  ],
});

export const SERVICE = 'shop-webhook.shop-system.svc';
export const SETTINGS: SelfManagedCertificateSettings = {
  mode: 'selfManaged',
  secretName: 'shop-certificate',
  dnsNames: [SERVICE, `${SERVICE}.cluster.local`],
  mutatingConfiguration: 'shop',
  validatingConfiguration: 'shop',
  conversionCrds: ['shops.shop.example.com'],
};

/** A clock of the machine's date: TLS knows no other. Its timers are the test's. */
export class DatedClock extends FakeClock {
  offsetMs = 0;

  override wallMs(): number {
    return Date.now() + this.offsetMs;
  }
}

/** One replica. */
export class Replica {
  readonly clock: FakeClock;
  readonly log = new MemoryLog();
  readonly told: string[] = [];
  readonly manager: CertificateManager;

  constructor(options: Partial<CertificateManagerOptions> & { readonly clock?: FakeClock } = {}) {
    this.clock = options.clock ?? new DatedClock();
    this.manager = new CertificateManager({
      settings: SETTINGS,
      namespace: 'shop-system',
      log: this.log,
      random: () => 0,
      observer: {
        read: () => this.told.push('read'),
        readFailed: () => this.told.push('failed'),
        expires: (at) => this.told.push(`expires ${at.toISOString()}`),
      },
      ...options,
      clock: this.clock,
    });
  }

  /** Resolves when it waits for a time of such a length. */
  pause(wanted: (delayMs: number) => boolean = () => true): Promise<void> {
    return this.clock.timer(wanted);
  }

  /** Lets the pause that runs be over, and the look after it come to its end. */
  async look(): Promise<void> {
    await this.pause();
    this.clock.advance(20_000);
    await this.pause();
  }
}

/** An installed operator on a server in the process, and clients in its name. */
export class Scene {
  readonly cluster: InProcessCluster;
  readonly #clients: ApiClient[] = [];
  readonly #replicas: Replica[] = [];

  private constructor(cluster: InProcessCluster) {
    this.cluster = cluster;
  }

  static async start(): Promise<Scene> {
    return new Scene(await TestCluster.start({ operator: shopOperator, namespaces: ['shop-system'] }));
  }

  /** In the operator's name, with exactly its rights. */
  async client(): Promise<ApiClient> {
    const client = createClient({ connection: connectionTo(this.cluster), clock: systemClock });
    this.#clients.push(client);
    return client;
  }

  async replica(options: Partial<CertificateManagerOptions> & { readonly clock?: FakeClock } = {}): Promise<Replica> {
    const replica = new Replica({ client: await this.client(), ...options });
    this.#replicas.push(replica);
    return replica;
  }

  secret(): Promise<Secret> {
    return this.cluster.get(Secret, 'shop-system/shop-certificate') as Promise<Secret>;
  }

  /** The bundles of all client configurations, as PEM. */
  async bundles(): Promise<readonly string[]> {
    const mutating = await this.cluster.get(MutatingWebhookConfiguration, 'shop');
    const validatingOne = await this.cluster.get(ValidatingWebhookConfiguration, 'shop');
    const definition = await this.cluster.get(CustomResourceDefinition, 'shops.shop.example.com');
    const configs = [
      ...(mutating.webhooks ?? []).map(({ clientConfig }) => clientConfig),
      ...(validatingOne.webhooks ?? []).map(({ clientConfig }) => clientConfig),
      definition.spec.conversion?.webhook?.clientConfig,
    ];
    // Decoded once: a bundle in base64 twice is trusted by nobody (H60).
    return configs.map((config) => Buffer.from(config?.caBundle ?? '', 'base64').toString('utf8'));
  }

  async close(): Promise<void> {
    await Promise.all(this.#replicas.map(({ manager }) => manager.stop()));
    for (const client of this.#clients) client.close();
    await this.cluster.close();
  }
}

export const text = (base64: string | undefined): string => Buffer.from(base64 ?? '', 'base64').toString('utf8');
export const base64 = (value: string): string => Buffer.from(value).toString('base64');
