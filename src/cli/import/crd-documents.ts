import { parseAllDocuments } from 'yaml';
import { isRecord, messageOf } from '../../kubernetes/index.js';
import { ImportError } from '../errors.js';
import { checkTree } from './tree-check.js';

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
 * Finds the CRDs in YAML or JSON: several documents, and `List` objects, as `kubectl get crd -o yaml` writes them. Other Kubernetes objects are reported.
 *
 * @throws ImportError for YAML that cannot be read, a document that is not a Kubernetes object, an old CRD, or no CRD at all.
 */
export function crdDocuments(sources: readonly Source[]): CrdDocuments {
  const crds: CrdDocument[] = [];
  const others: string[] = [];
  for (const { place, value } of sources.flatMap(readDocuments)) {
    const { apiVersion, kind } = value;
    if (kind !== 'CustomResourceDefinition') others.push(String(kind));
    else if (apiVersion === API_VERSION) crds.push({ place, crd: value });
    else
      throw new ImportError(`${place}: apiVersion ${JSON.stringify(apiVersion)} of the CRD is not supported: convert it to ${API_VERSION}`);
  }
  if (crds.length === 0) {
    const names = sources.map(({ name }) => name).join(', ');
    const found = others.length > 0 ? `found ${[...new Set(others)].join(', ')}` : 'there is no document';
    throw new ImportError(`${names}: holds no CustomResourceDefinition (${found})`);
  }
  return { crds, others };
}

interface FoundObject {
  readonly place: string;
  readonly value: JsonObject;
}

function readDocuments({ name, text }: Source): FoundObject[] {
  // A lone document end or an empty stream is an empty document to the parser: it says nothing, and so do we.
  const documents = [...parseAllDocuments(text)];
  return documents.flatMap((document, index) => {
    const place = documents.length === 1 ? name : `${name}, document ${index + 1}`;
    const value = readValue(document, place, text);
    checkTree(value, place);
    return value === null || value === undefined ? [] : objectsIn(value, place);
  });
}

type YamlDocument = ReturnType<typeof parseAllDocuments>[number];

/** @throws ImportError for what is not YAML, or nested so deeply that its parser gave up, and for aliases that lead nowhere or to too much */
function readValue(document: YamlDocument, place: string, text: string): unknown {
  const [error] = document.errors;
  if (error?.code === 'RESOURCE_EXHAUSTION') {
    const { line, col } = error.linePos?.[0] ?? { line: 1, col: 1 };
    throw new ImportError(`${place}: nested too deeply to be read, at line ${line}, column ${col}; no CRD is`, { cause: error });
  }
  if (error !== undefined) throw new ImportError(`${place}: not valid YAML: ${error.message.split('\n')[0]}${templateHint(text)}`);
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

function templateHint(text: string): string {
  return text.includes('{{') ? '; it looks like a Helm template: render it first, for example with `helm template --include-crds`' : '';
}
