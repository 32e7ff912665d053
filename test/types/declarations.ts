import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
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
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly exports: Readonly<Record<string, { readonly types?: string } | string | null>>;
    };
    const entries = Object.entries(exports).flatMap(([name, conditions]) =>
      typeof conditions === 'object' && conditions?.types !== undefined
        ? [[`keelson${name.slice(1)}`, [conditions.types.replace('./lib/types', this.#folder)]]]
        : [],
    );
    const packages = ['zod', 'cdk8s', 'constructs'].map((name) => [name, [join(ROOT, 'node_modules', name)]]);
    return { ...Object.fromEntries(entries), ...Object.fromEntries(packages) };
  }
}
