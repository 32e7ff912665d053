import { spawnSync } from 'node:child_process';

/**
 * Node 20 to 24: `toLegacyObject` of a certificate, in a process that has not loaded node:tls yet, leaves node:tls without `createSecureContext`, and no server
 * with TLS can be started any more.
 */
test('an authority that is loaded first leaves TLS as it is', () => {
  const script = `
    import { CertificateAuthority } from './src/kubernetes/certificates/index.ts';
    const authority = CertificateAuthority.create({ commonName: 'test' });
    CertificateAuthority.load(authority.toKeyPair());
    const { createSecureContext } = await import('node:tls');
    process.stdout.write(typeof createSecureContext);
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], { encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: 'function', stderr: '' });
});
