import { didYouMean } from '@keelson/kubernetes/apimachinery';
import { type ApiClient, isApiError } from '@keelson/runtime/internal/client';
import { WhyError } from '../errors.js';

/** A kind that the server serves. */
export interface NamedKind {
  readonly kind: string;
  readonly isNamespaced: boolean;
}

interface Resource {
  readonly name: string;
  readonly singularName?: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
}

interface Groups {
  readonly groups: readonly { readonly name: string; readonly preferredVersion: { readonly groupVersion: string } }[];
}

/**
 * Finds a kind by any of the names that kubectl takes: kind, plural, singular or short name, in lower case or not, with `.GROUP` or without.
 *
 * @throws WhyError for a name that the server does not know
 */
export async function namedKind(client: ApiClient, word: string): Promise<NamedKind> {
  const [name = '', ...groupParts] = word.toLowerCase().split('.');
  const group = groupParts.join('.');
  const { groups } = (await client.request({ method: 'GET', path: '/apis' })) as Groups;
  const paths = groups
    .filter((one) => group === '' || one.name === group)
    .map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`);
  const lists = await Promise.all([...(group === '' ? ['/api/v1'] : []), ...paths].map((path) => resourcesAt(client, path)));
  const resources = lists.flatMap(({ found }) => found).filter((resource) => !resource.name.includes('/'));
  const isMeant = ({ name: plural, singularName = '', kind, shortNames = [] }: Resource): boolean =>
    [plural, singularName, kind.toLowerCase(), ...shortNames].includes(name);
  const resource = resources.find(isMeant);
  if (resource !== undefined) return { kind: resource.kind, isNamespaced: resource.namespaced };
  const silent = lists.flatMap(({ failure }) => failure ?? []);
  const kinds = resources.map(({ kind }) => kind.toLowerCase());
  throw new WhyError(
    `the server does not serve ${word}${didYouMean(name, kinds)}${silent.length === 0 ? '' : `; it could not say what it serves at ${silent.join(', ')}`}`,
  );
}

/** The API server of an extension that is down answers 503: the kind that is meant is most likely another one's. */
async function resourcesAt(client: ApiClient, path: string): Promise<{ readonly found: readonly Resource[]; readonly failure?: string }> {
  try {
    const { resources } = (await client.request({ method: 'GET', path })) as { readonly resources: readonly Resource[] };
    return { found: resources };
  } catch (error) {
    if (!isApiError(error)) throw error;
    return { found: [], failure: path };
  }
}
