import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PackageFile } from 'keelson/packaging';
import { parseAllDocuments } from 'yaml';
import { DEADLINE_MS } from '../../deadline.cjs';

export interface HelmResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A chart in a folder of its own, and the real helm on it. */
export class ChartFolder {
  readonly path: string;
  readonly #binary: string;
  readonly #home: string;
  #files = 0;

  constructor(binary: string, files: readonly PackageFile[]) {
    this.#binary = binary;
    this.#home = mkdtempSync(join(tmpdir(), 'keelson-helm-'));
    this.path = join(this.#home, 'chart');
    for (const { path, text } of files) {
      mkdirSync(dirname(join(this.path, path)), { recursive: true });
      writeFileSync(join(this.path, path), text);
    }
  }

  helm(...args: readonly string[]): Promise<HelmResult> {
    const home = {
      HOME: this.#home,
      HELM_CACHE_HOME: join(this.#home, 'cache'),
      HELM_CONFIG_HOME: join(this.#home, 'config'),
      HELM_DATA_HOME: join(this.#home, 'data'),
    };
    return new Promise((resolve) => {
      execFile(
        this.#binary,
        [...args],
        { env: { PATH: process.env['PATH'], ...home }, maxBuffer: 2 ** 26, timeout: DEADLINE_MS },
        (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
        },
      );
    });
  }

  /** @throws Error with what helm said */
  async must(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.helm(...args);
    if (code !== 0) throw new Error(`helm ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`);
    return stdout;
  }

  /** The options that hand values to helm. */
  valuesFile(values: object): readonly string[] {
    this.#files += 1;
    const file = join(this.#home, `values-${this.#files}.json`);
    writeFileSync(file, JSON.stringify(values));
    return ['--values', file];
  }

  /** A file beside the chart. @returns its path */
  write(name: string, text: string): string {
    const file = join(this.#home, name);
    writeFileSync(file, text);
    return file;
  }

  remove(): void {
    rmSync(this.#home, { recursive: true, force: true });
  }
}

export interface ManifestLike {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
  };
  readonly [field: string]: unknown;
}

export function documentsOf(text: string): ManifestLike[] {
  // As the API server's clients read it.
  return parseAllDocuments(text, { version: '1.1' })
    .map((document) => document.toJS() as ManifestLike | null)
    .filter((manifest) => manifest !== null);
}

/** Objects by identity, without the labels and the annotation that are Helm's own. */
export function comparable(manifests: readonly ManifestLike[]): Record<string, unknown> {
  const entries = manifests.map((manifest): [string, unknown] => {
    const { kind, apiVersion, metadata } = manifest;
    return [`${apiVersion} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`, withoutHelm(manifest)];
  });
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

const HELM_KEYS: readonly string[] = ['app.kubernetes.io/managed-by', 'helm.sh/chart', 'helm.sh/resource-policy'];

function withoutHelm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutHelm);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !HELM_KEYS.includes(key));
  return Object.fromEntries(
    entries
      .map(([key, field]) => [key, withoutHelm(field)])
      .filter(([key, field]) => key !== 'annotations' || Object.keys(field as object).length > 0),
  );
}
