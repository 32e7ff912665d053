import { pluralize } from '@keelson/kubernetes/apimachinery';

/** A kind under the names that generated code gives it. */
export interface KindNames {
  /** `HTTPRoute`. */
  readonly kind: string;
  /** `httpRoute`: the start of variables. */
  readonly variable: string;
  /** `http-route`: files, and the name of the controller. */
  readonly file: string;
  /** `httproutes`: as kubectl and the CRD write it. */
  readonly plural: string;
}

export function kindNames(kind: string): KindNames {
  const file = kind
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase();
  return { kind, variable: camelCase(file), file, plural: pluralize(kind.toLowerCase()) };
}

/** `http-route` becomes `httpRoute`. */
export function camelCase(name: string): string {
  return name.replace(/-+([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}
