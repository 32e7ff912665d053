import { isRecord, type Json } from '@keelson/kubernetes/apimachinery';
import { yamlText } from '../yaml-text.js';
import { identityKey, type ManifestFields, selectorOf } from './identity.js';

type Path = readonly (string | number)[];

/** A field that names the namespace, and that Kustomize's own `namespace` does not change. */
interface NamespaceText {
  readonly object: Json;
  readonly path: Path;
  readonly text: string;
}

/** Delimiters that a namespace, which is a DNS label, stands between. */
const DELIMITERS = ['.', '/', ','] as const;

/**
 * The transformer that carries another namespace into texts, such as the DNS names of a certificate; `undefined` and the field in question if a text has the
 * namespace where no delimiter sets it apart.
 *
 * @param probed the same objects, synthesized for another namespace
 */
export function followNamespace(
  namespace: string,
  objects: readonly Json[],
  probed: readonly Json[],
): { readonly text: string } | { readonly obstacle: string } {
  const others = new Map(probed.map((object) => [identityKey(atNamespace(object, undefined)), object]));
  const texts = objects.flatMap((object) => {
    const other = others.get(identityKey(atNamespace(object, undefined)));
    return other === undefined ? [] : namespaceTexts(object, object, other, []);
  });
  const source = objects.find((object) => (object as unknown as ManifestFields).metadata.namespace === namespace);
  const targets: object[] = [];
  for (const { object, path, text } of texts) {
    const places = placesOf(text, namespace);
    if (places === undefined || source === undefined) return { obstacle: `${identityKey(object)}: ${path.join('.')}` };
    for (const options of places) {
      targets.push({
        select: selectorOf(object),
        fieldPaths: [fieldPath(object, path)],
        ...(Object.keys(options).length === 0 ? {} : { options }),
      });
    }
  }
  const replacements =
    targets.length === 0 ? [] : [{ source: { ...selectorOf(source as Json), fieldPath: 'metadata.namespace' }, targets }];
  return {
    text: yamlText({ apiVersion: 'builtin', kind: 'ReplacementTransformer', metadata: { name: 'follow-namespace' }, replacements }),
  };
}

function atNamespace(object: Json, namespace: string | undefined): Json {
  const { metadata, ...rest } = object as unknown as ManifestFields;
  return { ...rest, metadata: { name: metadata.name, ...(namespace === undefined ? {} : { namespace }) } } as unknown as Json;
}

function namespaceTexts(object: Json, left: Json, right: Json, path: Path): NamespaceText[] {
  if (typeof left === 'string') return left === right || isKnown(path) ? [] : [{ object, path, text: left }];
  if (Array.isArray(left)) {
    const [items, others] = [left, Array.isArray(right) ? right : []] as [readonly Json[], readonly Json[]];
    return items.flatMap((item, index) => namespaceTexts(object, item, others[index] ?? null, [...path, index]));
  }
  if (!isRecord(left)) return [];
  return Object.entries(left).flatMap(([key, field]) =>
    namespaceTexts(object, field as Json, (isRecord(right) ? (right[key] as Json | undefined) : undefined) ?? null, [...path, key]),
  );
}

/** Fields that `namespace` of a kustomization changes. Source: kustomize `api/internal/konfig/builtinpluginconsts`. */
function isKnown(path: Path): boolean {
  return /^(metadata\.namespace|subjects\.\d+\.namespace|webhooks\.\d+\.clientConfig\.service\.namespace)$/.test(path.join('.'));
}

type ReplacementOptions = { readonly delimiter?: string; readonly index?: number };

function placesOf(text: string, namespace: string): readonly ReplacementOptions[] | undefined {
  if (text === namespace) return [{}];
  for (const delimiter of DELIMITERS) {
    const places = text.split(delimiter).flatMap((part, index) => (part === namespace ? [{ delimiter, index }] : []));
    if (places.length > 0 && places.length === text.split(namespace).length - 1) return places;
  }
  return undefined;
}

/** A path as replacements read it: an item of a list by its name, so that a patch that adds another does not move it. */
function fieldPath(object: Json, path: Path): string {
  let node: unknown = object;
  return path
    .map((step) => {
      const found = (node as Readonly<Record<string | number, unknown>>)[step];
      node = found;
      if (typeof step === 'string') return step.replaceAll('.', '\\.');
      return isRecord(found) && typeof found['name'] === 'string' ? `[name=${found['name']}]` : String(step);
    })
    .join('.');
}
