import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goClient } from '../../scripts/cluster/go-client.js';
import { bundleOperator } from '../../scripts/images/index.js';
import type { Subject } from './operator-process.js';

const KEELSON = 'bench/processes/website-operator.mjs';
/** As the manifests write it for the default memory limit of 256Mi. */
const NODE_OPTIONS = '--max-old-space-size=179 --max-semi-space-size=2';

/** The operator as one file, as images have it. */
export async function bundledKeelson(folder: string): Promise<string> {
  const path = join(folder, 'website-operator.mjs');
  writeFileSync(path, await bundleOperator(process.cwd(), KEELSON));
  return path;
}

/** Node with the operator as a Pod would run it. */
export function keelsonSubject(
  workers: number,
  more: { readonly nodeOptions?: readonly string[]; readonly parameters?: readonly string[]; readonly bundle?: string | undefined } = {},
): Subject {
  return {
    title: `keelson, ${workersText(workers)}${more.bundle === undefined ? '' : ', one file'}`,
    tellsHeld: true,
    command: ({ pods, held = false, ports, access, profile }) => ({
      command: process.execPath,
      parameters: [
        ...(more.nodeOptions ?? []),
        ...(held ? ['--expose-gc'] : []),
        ...(profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-interval=500', `--cpu-prof-dir=${profile}`]),
        // What importing costs is measured on the package as it is installed.
        held ? KEELSON : (more.bundle ?? KEELSON),
        `--workers=${workers}`,
        ...(pods ? ['--pods'] : []),
        ...(held ? ['--held'] : []),
        ...(more.parameters ?? []),
      ],
      env: {
        NODE_OPTIONS,
        KUBERNETES_SERVICE_HOST: access.host,
        KUBERNETES_SERVICE_PORT: access.port,
        BENCH_SERVICE_ACCOUNT: access.serviceAccount,
        KEELSON_HEALTH_PORT: String(ports.health),
        KEELSON_METRICS_PORT: String(ports.metrics),
      },
    }),
  };
}

/** The same operator in Go, or why there is none. */
export function controllerRuntimeSubjects(workers: readonly number[]): Subject[] | string {
  const client = goClient('bench/website/controller-runtime');
  if (!client.found) return client.reason;
  return workers.map((count) => ({
    title: `controller-runtime, ${workersText(count)}`,
    command: ({ pods, ports, access }) => ({
      command: client.path,
      env: { KUBECONFIG: access.kubeconfig },
      parameters: [
        `--workers=${count}`,
        `--metrics=127.0.0.1:${ports.metrics}`,
        `--health=127.0.0.1:${ports.health}`,
        ...(pods ? ['--pods'] : []),
      ],
    }),
  }));
}

function workersText(count: number): string {
  return count === 1 ? '1 worker' : `${count} workers`;
}
