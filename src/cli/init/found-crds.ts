import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isRecord, messageOf } from '@keelson/kubernetes/apimachinery';
import { parse } from 'yaml';
import { ScaffoldError } from '../errors.js';
import { type CrdDocument, type CrdReading, crdDocuments, type JsonObject, type Source } from '../import/index.js';

/** CRDs that a project starts from, and what else is known of where they come from. */
export interface FoundCrds {
  readonly crds: readonly CrdDocument[];
  /** Parts of a kubebuilder project that its CRDs do not carry, as items of a list. */
  readonly remarks: readonly string[];
}

const BASES = 'config/crd/bases';

/**
 * Reads a file of CRDs, a folder of them, or a kubebuilder project (its folder or its file PROJECT), whose CRDs stand in `config/crd/bases`.
 *
 * @throws ScaffoldError for what cannot be read or holds no CRD
 */
export async function foundCrds(path: string, directory: string, reading: CrdReading): Promise<FoundCrds> {
  const place = resolve(directory, path);
  const found = await stat(place).catch(() => {
    throw new ScaffoldError(
      `${path}: cannot be read: no such file or folder; give CRDs in YAML, a folder of them, or a kubebuilder project`,
    );
  });
  const project = found.isDirectory() ? join(place, 'PROJECT') : place;
  if (basename(project) !== 'PROJECT')
    return { crds: crdDocuments([{ name: path, text: await textOf(place, path) }], reading).crds, remarks: [] };
  const text = await readFile(project, 'utf8').catch(() => undefined);
  if (text === undefined) return { crds: await crdsIn(place, path, reading), remarks: [] };
  const bases = join(dirname(project), BASES);
  const crds = await crdsIn(bases, relative(directory, bases), reading);
  return { crds, remarks: remarksOf(projectIn(text, path), crds) };
}

async function textOf(file: string, shown: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new ScaffoldError(`${shown}: cannot be read: ${messageOf(error)}`, { cause: error });
  });
}

/** Files without the word are not asked for more: patches and kustomizations stand beside the CRDs. */
async function crdsIn(folder: string, shown: string, reading: CrdReading): Promise<readonly CrdDocument[]> {
  const entries = await readdir(folder, { recursive: true }).catch((error: unknown) => {
    throw new ScaffoldError(`${shown}: cannot be read: ${messageOf(error)}; a kubebuilder project makes its CRDs with make manifests`, {
      cause: error,
    });
  });
  const sources: Source[] = [];
  for (const entry of entries.filter((name) => /\.(ya?ml|json)$/.test(name)).sort()) {
    const text = await textOf(join(folder, entry), join(shown, entry));
    if (/\bCustomResourceDefinition\b/.test(text)) sources.push({ name: join(shown, entry), text });
  }
  if (sources.length === 0) throw new ScaffoldError(`${shown}: no file in it holds a CustomResourceDefinition`);
  return crdDocuments(sources, reading).crds;
}

function projectIn(text: string, shown: string): JsonObject {
  try {
    const project: unknown = parse(text);
    if (isRecord(project)) return project;
  } catch (error) {
    throw new ScaffoldError(`${shown}: PROJECT is not YAML: ${messageOf(error)}`, { cause: error });
  }
  throw new ScaffoldError(`${shown}: PROJECT is not a project file of kubebuilder`);
}

/** Webhooks by the names of the PROJECT file. */
const WEBHOOKS = { defaulting: 'defaulting', validation: 'validating', conversion: 'conversion' } as const;

function remarksOf(project: JsonObject, crds: readonly CrdDocument[]): readonly string[] {
  const resources = Array.isArray(project['resources']) ? project['resources'].filter(isRecord) : [];
  return resources.flatMap((resource) => {
    const kind = String(resource['kind']);
    const domain = String(resource['domain'] ?? project['domain'] ?? '');
    const group = [resource['group'], domain].filter((part) => typeof part === 'string' && part !== '').join('.');
    const isThere = crds.some(({ crd }) => isCrdOf(crd, { kind, group }));
    const webhooks = isRecord(resource['webhooks']) ? resource['webhooks'] : {};
    const written = Object.entries(WEBHOOKS).flatMap(([name, word]) => (webhooks[name] === true ? [word] : []));
    return [
      ...(isThere
        ? []
        : [`${kind} of ${group}: PROJECT names it, and ${BASES} has no CRD of it: a kind of others is imported with keelson import`]),
      ...(written.length === 0 ? [] : [`${kind}: its ${written.join(' and ')} webhook is code: ${advice(written, kind)}`]),
    ];
  });
}

function advice(written: readonly string[], kind: string): string {
  const admission = written.some((word) => word !== 'conversion') ? [`start with keelson create webhook ${kind}`] : [];
  return [...admission, ...(written.includes('conversion') ? ['write convert in the definition'] : [])].join(', ');
}

function isCrdOf(crd: JsonObject, { kind, group }: { readonly kind: string; readonly group: string }): boolean {
  const spec = isRecord(crd['spec']) ? crd['spec'] : {};
  return spec['group'] === group && isRecord(spec['names']) && spec['names']['kind'] === kind;
}
