import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PackageFile } from 'keelson/packaging';
import { stringify } from 'yaml';
import { DEADLINE_MS } from '../../deadline.cjs';

/** The files of a package in a folder of their own, `operator`, and the real kustomize on it. */
export class KustomizeFolder {
  readonly path: string;
  readonly #binary: string;

  constructor(binary: string, files: readonly PackageFile[]) {
    this.#binary = binary;
    this.path = mkdtempSync(join(tmpdir(), 'keelson-kustomize-'));
    for (const { path, text } of files) this.write(join('operator', path), text);
  }

  /** A folder with a kustomization and the files that it names. @returns its path, relative to this one */
  overlay(name: string, kustomization: object, files: Readonly<Record<string, object>> = {}): string {
    this.write(join(name, 'kustomization.yaml'), stringify(kustomization));
    for (const [path, content] of Object.entries(files)) this.write(join(name, path), stringify(content));
    return name;
  }

  write(path: string, text: string): void {
    const file = join(this.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** @throws Error with what kustomize said */
  build(folder: string): Promise<string> {
    return new Promise((resolve, reject) => {
      execFile(this.#binary, ['build', join(this.path, folder)], { maxBuffer: 2 ** 26, timeout: DEADLINE_MS }, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`kustomize build ${folder}: ${stderr}`));
      });
    });
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
