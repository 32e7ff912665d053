import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PackageCommandError, UsageError } from '../errors.js';
import { loadModule } from '../load-module.js';
import type { Terminal } from '../terminal.js';
import { PACKAGE, PACKAGE_FORMATS } from '../usage/index.js';
import { FORMATS, type Source } from './formats.js';
import { catalogText, checkBundle, writeCatalog } from './olm-output.js';
import { writePackage } from './write-package.js';

const DEFAULT_MODULE = 'src/package.ts';

/** `keelson package`. The package is complete before the first file is written. */
export async function runPackage(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: PACKAGE.options, allowPositionals: true });
  const [given, module = DEFAULT_MODULE, ...rest] = positionals;
  const format = formatOf(given);
  if (rest.length > 0) throw new UsageError(`keelson package: one module is expected, got ${[module, ...rest].join(' ')}`);
  const target = catalogTarget(format, values, terminal);
  const path = resolve(terminal.directory, module);
  await access(path).catch((error: unknown) => {
    throw new PackageCommandError(
      `${module}: no such file; name the module that exports the package, or write it: keelson package --help shows one`,
      { cause: error },
    );
  });
  terminal.progress?.(`loading ${module}`);
  const { sources, exported, ...guard } = FORMATS[format];
  const found = chosen(await sources(Object.values(await loadModule(path, module, PackageCommandError))), {
    module,
    name: values.name,
    ...exported,
  });
  const output = values.output ?? PACKAGE_FORMATS[format].folder(found.name);
  terminal.progress?.(`writing ${output}`);
  const files = found.files();
  const beside = found.beside().map((source) => ({ shown: join(output, '..', source.name), files: source.files() }));
  if (format === 'olm') await checkBundle(files, terminal);
  const catalog = target === undefined ? undefined : await catalogText(files, target);
  for (const written of [{ shown: output, files }, ...beside])
    await writePackage(written.files, { folder: resolve(terminal.directory, written.shown), shown: written.shown, ...guard });
  if (target !== undefined && catalog !== undefined) await writeCatalog(target.file, catalog);
  terminal.progress?.('');
  for (const written of [{ shown: output, files }, ...beside]) terminal.out(`${written.shown}: ${written.files.length} files\n`);
  if (values.catalog !== undefined) terminal.out(`${values.catalog}: with the bundle\n`);
}

function formatOf(name: string | undefined): keyof typeof PACKAGE_FORMATS {
  if (name !== undefined && isFormat(name)) return name;
  const names = Object.keys(PACKAGE_FORMATS).join(', ');
  throw new UsageError(`keelson package: ${name === undefined ? 'no format given' : `unknown format ${name}`}; write one of ${names}`);
}

function isFormat(name: string): name is keyof typeof PACKAGE_FORMATS {
  return Object.hasOwn(PACKAGE_FORMATS, name);
}

interface CatalogOptions {
  readonly catalog?: string | undefined;
  readonly 'bundle-image'?: string | undefined;
}

function catalogTarget(
  format: string,
  { catalog, 'bundle-image': image }: CatalogOptions,
  { directory }: Terminal,
): { readonly file: string; readonly shown: string; readonly image: string } | undefined {
  if (catalog === undefined && image === undefined) return undefined;
  if (format !== 'olm') throw new UsageError('keelson package: --catalog and --bundle-image belong to the format olm');
  if (catalog === undefined || image === undefined)
    throw new UsageError('keelson package: --catalog and --bundle-image are given together: a catalog names the image of each bundle');
  return { file: resolve(directory, catalog), shown: catalog, image };
}

interface Choice {
  readonly module: string;
  readonly name: string | undefined;
  readonly what: string;
  readonly example: string;
}

function chosen(sources: readonly Source[], { module, name, what, example }: Choice): Source {
  const names = sources.map((each) => each.name).join(', ');
  if (sources.length === 0) throw new PackageCommandError(`${module}: exports no ${what}; write ${example}`);
  const matching = name === undefined ? sources : sources.filter((each) => each.name === name);
  const [only, second] = matching;
  if (only === undefined) throw new PackageCommandError(`${module}: exports no ${what} named ${name}; it has ${names}`);
  if (second !== undefined) throw new PackageCommandError(`${module}: exports several ${what}s: ${names}; choose one with --name`);
  return only;
}
