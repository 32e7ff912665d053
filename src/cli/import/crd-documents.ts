import { isRecord, messageOf } from '@keelson/kubernetes/apimachinery';
import { type DocumentOptions, type ParseOptions, parseAllDocuments, type SchemaOptions } from 'yaml';
import type { Collected } from '../collected.js';
import { ImportError } from '../errors.js';
import { checkTree } from './tree-check.js';
import { indentedTexts } from './yaml-text.js';

/** YAML text and the name under which messages speak of it. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** A CustomResourceDefinition as it was found, and where. */
export interface CrdDocument {
  /** `crd.yaml, document 2`. */
  readonly place: string;
  readonly crd: JsonObject;
}

export interface CrdDocuments {
  readonly crds: readonly CrdDocument[];
  /** Kinds of the other objects that the sources hold. */
  readonly others: readonly string[];
}

const API_VERSION = 'apiextensions.k8s.io/v1';

/**
 * Finds the CRDs in YAML or JSON: several documents, and `List` objects, as `kubectl get crd -o yaml` writes them. Other Kubernetes objects are reported. Mistakes go into `problems`:
 * YAML that cannot be read, a document that is not a Kubernetes object, an old CRD.
 *
 * @throws ImportError for no CRD at all, and for a kind to skip that no source has.
 */
export function crdDocuments(sources: readonly Source[], { problems, skip = [] }: CrdReading): CrdDocuments {
  const crds: CrdDocument[] = [];
  const others: string[] = [];
  let isWrong = false;
  for (const { place, value } of sources.flatMap((source) => readDocuments(source, problems))) {
    const { apiVersion, kind } = value;
    if (kind !== 'CustomResourceDefinition') others.push(String(kind));
    else if (apiVersion === API_VERSION || skip.some((name) => isNamed(value, name))) crds.push({ place, crd: value });
    else {
      isWrong = true;
      const message = `${place}: apiVersion ${JSON.stringify(apiVersion)} of the CRD is not supported: convert it to ${API_VERSION}`;
      problems.try(() => refuse(message), kindOf({ crd: value }));
    }
  }
  if (crds.length === 0 && !isWrong && problems.isEmpty) {
    const names = sources.map(({ name }) => name).join(', ');
    const found = others.length > 0 ? `found ${[...new Set(others)].join(', ')}` : 'there is no document';
    throw new ImportError(`${names}: holds no CustomResourceDefinition (${found})`);
  }
  return { crds: withoutSkipped(crds, skip), others };
}

export interface CrdReading {
  readonly problems: Collected;
  /** Kinds that are left out, `Kiln` or `Kiln.lab.example.org`. */
  readonly skip?: readonly string[] | undefined;
}

function refuse(message: string): never {
  throw new ImportError(message);
}

/** The kind as `--skip` takes it. */
export function kindOf({ crd }: Pick<CrdDocument, 'crd'>): string | undefined {
  const spec = isRecord(crd['spec']) ? crd['spec'] : {};
  const kind = isRecord(spec['names']) ? spec['names']['kind'] : undefined;
  return typeof kind === 'string' ? kind : undefined;
}

function isNamed(crd: JsonObject, name: string): boolean {
  const kind = kindOf({ crd });
  const group = isRecord(crd['spec']) ? String(crd['spec']['group']) : '';
  return kind !== undefined && (name === kind || name === `${kind}.${group}`);
}

/** @throws ImportError for a kind that is not there, most likely a typing error, and where nothing remains */
function withoutSkipped(crds: readonly CrdDocument[], skip: readonly string[]): readonly CrdDocument[] {
  const unknown = skip.filter((name) => !crds.some(({ crd }) => isNamed(crd, name)));
  const kinds = [...new Set(crds.map(kindOf))].join(', ');
  if (unknown.length > 0) throw new ImportError(`--skip ${unknown.join(' ')}: no CustomResourceDefinition has this kind; found ${kinds}`);
  const rest = crds.filter(({ crd }) => !skip.some((name) => isNamed(crd, name)));
  if (rest.length === 0 && crds.length > 0) throw new ImportError(`--skip ${skip.join(' ')}: nothing remains of ${kinds}`);
  return rest;
}

interface FoundObject {
  readonly place: string;
  readonly value: JsonObject;
}

function readDocuments({ name, text }: Source, problems: Collected): readonly FoundObject[] {
  // A lone document end or an empty stream is an empty document to the parser: it says nothing, and so do we.
  const documents = parsed(text);
  return documents.flatMap((document, index) => {
    const place = documents.length === 1 ? name : `${name}, document ${index + 1}`;
    return problems.try(() => objectsOf(document, place, text)).flat();
  });
}

/** Types of YAML 1.1 that kubectl does not have: it leaves times, and numbers to the base of 60, as texts. */
const TEXTS_TO_KUBECTL = ['timestamp', 'binary', 'omap', 'pairs', 'set'].map((name) => `tag:yaml.org,2002:${name}`);

/** As go-yaml 2: `yes` and `on` are true, `<<` merges. */
const AS_KUBECTL: ParseOptions & DocumentOptions & SchemaOptions = {
  version: '1.1',
  merge: true,
  customTags: (tags) =>
    tags.filter((tag) => typeof tag === 'string' || !(TEXTS_TO_KUBECTL.includes(tag.tag) || ('format' in tag && tag.format === 'TIME'))),
};

function parsed(text: string): readonly YamlDocument[] {
  const documents = [...parseAllDocuments(text, AS_KUBECTL)];
  return documents.some(({ errors }) => errors.length > 0) ? [...parseAllDocuments(indentedTexts(text), AS_KUBECTL)] : documents;
}

function objectsOf(document: YamlDocument, place: string, text: string): FoundObject[] {
  const value = readValue(document, place, text);
  checkTree(value, place);
  return value === null || value === undefined ? [] : objectsIn(value, place);
}

type YamlDocument = ReturnType<typeof parseAllDocuments>[number];

/** @throws ImportError for what is not YAML, or nested so deeply that its parser gave up, and for aliases that lead nowhere or to too much */
function readValue(document: YamlDocument, place: string, text: string): unknown {
  const [error] = document.errors;
  if (error?.code === 'RESOURCE_EXHAUSTION') {
    const { line, col } = error.linePos?.[0] ?? { line: 1, col: 1 };
    throw new ImportError(`${place}: nested too deeply to be read, at line ${line}, column ${col}; no CRD is`, { cause: error });
  }
  if (error !== undefined) throw new ImportError(`${place}: not valid YAML: ${error.message.split('\n')[0]}${hint(text)}`);
  try {
    return document.toJS();
  } catch (cause) {
    const why = messageOf(cause);
    throw new ImportError(`${place}: its aliases cannot be followed: ${why}; write it without them`, { cause });
  }
}

function objectsIn(value: unknown, place: string): FoundObject[] {
  if (!isRecord(value) || typeof value['kind'] !== 'string' || typeof value['apiVersion'] !== 'string') {
    throw new ImportError(
      `${place}: is not a Kubernetes object (it has no apiVersion and kind); pass the YAML of a CustomResourceDefinition`,
    );
  }
  const items = value['items'];
  if (!value['kind'].endsWith('List') || !Array.isArray(items)) return [{ place, value }];
  return items.flatMap((item: unknown, index) => objectsIn(item, `${place}, items[${index}]`));
}

function hint(text: string): string {
  return text.includes('{{')
    ? '; it looks like a Helm template: render it first, for example with `helm template --include-crds`'
    : '; if kubectl reads it, pass what `kubectl create --dry-run=client -o yaml -f FILE` prints';
}
