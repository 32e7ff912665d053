import { findResource, type OperatorProps } from 'keelson/constructs';
import { manifestsOf } from '../synthesized';

test('PEM is encoded once, base64 of PEM not again (H60)', () => {
  const pem = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n';
  const base64 = Buffer.from(pem).toString('base64');
  for (const caBundle of [pem, base64, base64.replace(/(.{10})/g, '$1\n')]) {
    const manifests = manifestsOf({ certificates: { secret: { name: 'tls', caBundle } } });
    expect(findResource(manifests, 'ValidatingWebhookConfiguration').webhooks[0].clientConfig.caBundle).toBe(base64);
    expect(findResource(manifests, 'CustomResourceDefinition', 'pools.net.example.com').spec.conversion.webhook.clientConfig.caBundle).toBe(
      base64,
    );
  }
  expect(() => manifestsOf({ certificates: { secret: { name: 'tls', caBundle: 'tls.crt' } } })).toThrow(
    /caBundle is neither a PEM certificate nor base64/,
  );
});

test.each<[string, Partial<OperatorProps>, RegExp]>([
  ['unknown certificates', { certificates: 'certManager' as never }, /certificates is "certManager"; write 'selfManaged', \{ certManager/],
  ['empty certificates', { certificates: {} as never }, /certificates is \{\}; write 'selfManaged'/],
  ['a Secret that cannot be', { certificates: { secret: { name: 'A B', caBundle: '' } } }, /certificates\.secret\.name: 'A B' must be/],
  ['days as a Go duration', { certificates: { certManager: { duration: '90d' } } }, /certManager\.duration: '90d' is not a Go duration/],
  ['a life too short', { certificates: { certManager: { duration: '30m' } } }, /duration is 30m; cert-manager issues for 1h or more/],
  [
    'a renewal before the beginning',
    { certificates: { certManager: { duration: '24h', renewBefore: '36h30m' } } },
    /renewBefore is 36h30m; write 5m or more, and less than the duration \(24h\)/,
  ],
])('%s', (_name, props, message) => {
  expect(() => manifestsOf(props)).toThrow(message);
});
