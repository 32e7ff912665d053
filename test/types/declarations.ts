import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { doorsOf } from '../../scripts/build/entry-points';
import { workspacePackages } from '../../scripts/build/packages';
import { COMPILERS, run } from './compilers';

const ROOT = resolve(__dirname, '../..');

export interface ProjectOptions {
  readonly include: readonly string[];
  /** Default true. */
  readonly noUnusedLocals?: boolean;
  /** Flags of a user that differ from ours. @defaultValue none */
  readonly flags?: Readonly<Record<string, boolean>>;
}

/** The declarations that the package publishes, made of the sources as they are: what users compile against, and checked faster than the sources. */
export class Declarations {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws Error with what the compiler said */
  static emittedTo(folder: string): Declarations {
    const [{ tsc } = { tsc: '' }] = COMPILERS;
    // `npm run check` judges the sources.
    const said = run(tsc, ['-p', join(ROOT, 'tsconfig.build.json'), '--noCheck', '--outDir', folder]);
    if (said !== '') throw new Error(`no declarations: ${said}`);
    return new Declarations(folder);
  }

  /**
   * Writes the `tsconfig.json` of a project that sees the declarations under their public names.
   *
   * @returns its path
   */
  project(folder: string, { include, noUnusedLocals = true, flags = {} }: ProjectOptions): string {
    const compilerOptions = {
      rootDir: '/',
      typeRoots: [join(ROOT, 'node_modules/@types')],
      types: ['node'],
      noUnusedLocals,
      ...flags,
      paths: this.#paths(),
    };
    const path = join(folder, 'tsconfig.json');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, include, exclude: [] }));
    return path;
  }

  #paths(): Readonly<Record<string, readonly string[]>> {
    const entries = workspacePackages()
      .flatMap(doorsOf)
      .map(({ specifier, source }) => [specifier, [join(this.#folder, source.replace(/\.ts$/, '.d.ts'))]]);
    const packages = ['zod', 'cdk8s', 'constructs'].map((name) => [name, [join(ROOT, 'node_modules', name)]]);
    return { ...Object.fromEntries(entries), ...Object.fromEntries(packages) };
  }
}
