import { groupVersionOf, type Json } from '@keelson/kubernetes/apimachinery';

/** The fields that distinguish an object from others for Kustomize. */
interface Identity {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
}

export interface ManifestFields {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

function identityOf(object: Json): Identity {
  const { apiVersion, kind, metadata } = object as unknown as ManifestFields;
  return { ...groupVersionOf(apiVersion), kind, name: metadata.name, namespace: metadata.namespace };
}

/** One text for each identity. */
export function identityKey(object: Json): string {
  const { group, kind, name, namespace } = identityOf(object);
  return [group, kind, namespace ?? '', name].join('/');
}

/** Selects this object alone, in `target` of a patch and `select` of a replacement. Kustomize reads names as regular expressions. */
export function selectorOf(object: Json): Readonly<Record<string, string>> {
  const { group, version, kind, name, namespace } = identityOf(object);
  return {
    ...(group === '' ? {} : { group }),
    version,
    kind,
    name: name.replaceAll('.', '\\.'),
    ...(namespace === undefined ? {} : { namespace }),
  };
}
