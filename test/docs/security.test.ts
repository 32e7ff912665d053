import { readFileSync } from 'node:fs';

const page = readFileSync('SECURITY.md', 'utf8');

/** Numbers of the page, and the source that says them. */
test.each([
  ['a body has at most 7 MiB', 'src/runtime/admission/body-reader.ts', 'MAX_BODY_BYTES: number = 7 * 1024 * 1024;'],
  ['a head has to arrive within 10 seconds', 'src/runtime/admission/webhook-server.ts', 'const PATIENCE_MS = 10_000;'],
  ['within 3 seconds and one more for each 64 kB', 'src/runtime/admission/body-reader.ts', 'graceMs: 3_000, bytesPerMs: 64'],
  ['Beyond 1,024 connections', 'src/kubernetes/listening/connection-guard.ts', 'most = 1_024'],
  ['TLS 1.2 or newer', 'src/runtime/admission/webhook-server.ts', "minVersion: 'TLSv1.2'"],
  ['Port 9443', 'src/keelson/definition/runtime-settings.ts', 'webhook: 9443'],
  ['begins with 24 random bytes', 'src/cli/dev/page/page-server.ts', 'const TOKEN_BYTES = 24;'],
  ['only its owner can read it (mode 0600)', 'src/cli/kubeconfig-file.ts', 'mode: 0o600'],
])('says "%s" as long as it is so', (claim, file, source) => {
  expect(page).toContain(claim);
  expect(readFileSync(file, 'utf8')).toContain(source);
});

interface Locked {
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

test('says how many packages come with keelson, and that none runs a script', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { readonly packages: Readonly<Record<string, Locked>> };
  const own = Object.keys(packages).filter((path) => path.startsWith('src/'));
  const direct = new Set(
    own.flatMap((path) => Object.keys(packages[path]?.dependencies ?? {})).filter((name) => !name.startsWith('@keelson/')),
  );
  expect(page).toContain(`Together they have ${['five', 'six', 'seven'][direct.size - 5]} direct dependencies`);
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const next of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {})) visit(next);
  };
  for (const name of [...direct, 'zod']) visit(name);
  expect(page).toContain(`bring ${found.size} packages in all`);
  expect([...found].filter((name) => packages[`node_modules/${name}`]?.hasInstallScript)).toEqual([]);
});
