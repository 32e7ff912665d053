import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder that each test of a file has anew, for the files of a project. */
export class TestFolder {
  #path = '';

  constructor(name: string) {
    beforeEach(() => {
      this.#path = mkdtempSync(join(tmpdir(), `keelson-${name}-`));
    });
    afterEach(() => rmSync(this.#path, { recursive: true }));
  }

  get path(): string {
    return this.#path;
  }

  put(file: string, text: string): void {
    const path = join(this.#path, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  read(file: string): string {
    return readFileSync(join(this.#path, file), 'utf8');
  }
}
