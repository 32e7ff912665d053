import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheRoot } from '../cluster/binaries.js';

/** Go modules of public projects with CRDs in them, in versions that do not change. */
const MODULES = [
  'github.com/cert-manager/cert-manager@v1.21.2',
  'github.com/cilium/cilium@v1.20.2',
  'github.com/external-secrets/external-secrets@v1.3.2',
  'github.com/fluxcd/source-controller@v1.10.1',
  'github.com/kyverno/kyverno@v1.19.1',
  'github.com/operator-framework/operator-registry@v1.55.0',
  'github.com/prometheus-operator/prometheus-operator@v0.85.0',
  'knative.dev/serving@v0.51.0',
  'sigs.k8s.io/cluster-api@v1.14.2',
  'sigs.k8s.io/gateway-api@v1.7.0',
] as const;

/** Folders of the modules; one that cannot be downloaded is reported with the reason, and left out. */
export function downloaded(report: (line: string) => void): readonly string[] {
  const cache = join(cacheRoot(), 'public-crds');
  mkdirSync(cache, { recursive: true });
  const env = { ...process.env, GOMODCACHE: cache, GOFLAGS: '-modcacherw' };
  return MODULES.flatMap((module) => {
    const { stdout, error } = spawnSync('go', ['mod', 'download', '-json', module], { cwd: cache, env, encoding: 'utf8' });
    if (error !== undefined) {
      report(`${module}: left out: go cannot be run: ${error.message}`);
      return [];
    }
    const { Dir, Error: reason } = JSON.parse(stdout) as { readonly Dir?: string; readonly Error?: string };
    if (Dir !== undefined) return [Dir];
    report(`${module}: left out: ${reason ?? 'no folder'}`);
    return [];
  });
}
