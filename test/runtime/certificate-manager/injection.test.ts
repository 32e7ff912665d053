import { X509Certificate } from 'node:crypto';
import { CustomResourceDefinition, ValidatingWebhookConfiguration } from 'keelson/kinds';
import { CertificateAuthority } from '../../../src/kubernetes/certificates/index.js';
import { inject } from '../../../src/runtime/certificate-manager/injection.js';

const DAY_MS = 86_400_000;
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const authority = (commonName: string, notAfter?: Date): string =>
  CertificateAuthority.create({ commonName, ...(notAfter === undefined ? {} : { notBefore: new Date(0), notAfter }) }).certificate;

interface Sent {
  readonly op: string;
  readonly path: string;
  readonly value: string;
}

/** Injects `ours` into a configuration whose webhooks have these bundles. */
async function injected(ours: string, present: readonly (string | undefined)[]): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  const object = {
    metadata: { name: 'shop', resourceVersion: '7' },
    webhooks: present.map((bundle) => ({ clientConfig: bundle === undefined ? {} : { caBundle: base64(bundle) } })),
  };
  const client = {
    get: () => Promise.resolve(object),
    patch: (_kind: unknown, _key: unknown, { body }: { body: readonly Sent[] }) => Promise.resolve(sent.push(...body)),
  };
  const options = { bundle: [new X509Certificate(ours)], nowMs: Date.now() };
  const wrote = await inject(client as never, { kind: ValidatingWebhookConfiguration, name: 'shop' }, options);
  expect(wrote).toBe(sent.length > 0);
  return sent.map((operation) =>
    operation.op === 'test' ? operation : { ...operation, value: Buffer.from(operation.value, 'base64').toString() },
  );
}

const [ours, ahead] = [authority('ours'), authority('ahead')];
const guard = { op: 'test', path: '/metadata/resourceVersion', value: '7' };

test('H61 an authority that another replica has written stays beside ours when ours is missing', async () => {
  expect(await injected(ours, [ahead])).toEqual([guard, { op: 'add', path: '/webhooks/0/clientConfig/caBundle', value: ours + ahead }]);
});

test('H61 an authority that has ended is not carried on, and what is not a certificate neither', async () => {
  const ended = authority('ended', new Date(Date.now() - DAY_MS));
  expect(await injected(ours, [`# a placeholder\n${ended}${ahead}`])).toEqual([
    guard,
    { op: 'add', path: '/webhooks/0/clientConfig/caBundle', value: ours + ahead },
  ]);
});

test('only the configurations that lack ours are written, upon what was read', async () => {
  expect(await injected(ours, [ahead + ours, undefined, ours])).toEqual([
    guard,
    { op: 'add', path: '/webhooks/1/clientConfig/caBundle', value: ours },
  ]);
  expect(await injected(ours, [ours, ahead + ours])).toEqual([]);
});

test('a CRD that is not converted by a webhook is refused', async () => {
  const client = {
    get: () =>
      Promise.resolve({ metadata: { name: 'shops.example.com', resourceVersion: '1' }, spec: { conversion: { strategy: 'None' } } }),
  };
  const target = { kind: CustomResourceDefinition, name: 'shops.example.com' };
  await expect(inject(client as never, target, { bundle: [], nowMs: 0 })).rejects.toThrow('is not converted by a webhook');
});
