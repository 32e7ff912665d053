import { apiVersionOf, groupVersionPath } from '@keelson/kubernetes/apimachinery';
import { type Served, type Subresource, servedGroupVersion, type Verb } from '../../contract/index.js';
import { capital, type Method, type Operation } from './operation.js';
import {
  DELETE_OPTIONS,
  GET_OPTIONS,
  LIST_OPTIONS,
  LIST_WITHOUT_WATCH,
  OWN_OPTIONS,
  PATCH_OPTIONS,
  type Parameter,
  PRETTY,
  pathParameter,
  WRITE_OPTIONS,
} from './parameters.js';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
const PATCHES = ['application/json-patch+json', 'application/merge-patch+json'];
const APPLY_PATCH = 'application/apply-patch+yaml';

/** The ways in which the documents of built-in and of custom resources differ. */
interface Dialect {
  readonly bodies: readonly string[];
  readonly answers: readonly string[];
  readonly streams: readonly string[];
  readonly patches: readonly string[];
  readonly getOptions: readonly Parameter[];
  readonly deleteCollection: readonly Parameter[];
  readonly deleteCollectionHasBody: boolean;
  readonly patchCodes: readonly number[];
  /** The old `/watch/…` paths. */
  readonly hasWatchPaths: boolean;
}

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
/** Media types of answers, discovery included. The order is that of OpenAPI v2; v3 has them as the keys of a map. */
export const BUILTIN_ANSWERS: readonly string[] = ['application/json', 'application/yaml', PROTOBUF];
const BUILTIN: Dialect = {
  bodies: ['*/*'],
  answers: BUILTIN_ANSWERS,
  streams: [...BUILTIN_ANSWERS, 'application/json;stream=watch', `${PROTOBUF};stream=watch`],
  patches: [...PATCHES, 'application/strategic-merge-patch+json', APPLY_PATCH],
  getOptions: [],
  deleteCollection: [...DELETE_OPTIONS, ...LIST_WITHOUT_WATCH],
  deleteCollectionHasBody: true,
  patchCodes: [200, 201],
  hasWatchPaths: true,
};
const CUSTOM: Dialect = {
  bodies: ['application/json', 'application/yaml'],
  answers: ['application/json', 'application/yaml'],
  streams: ['application/json', 'application/yaml'],
  patches: [...PATCHES, APPLY_PATCH],
  getOptions: GET_OPTIONS,
  deleteCollection: LIST_OPTIONS,
  deleteCollectionHasBody: false,
  patchCodes: [200],
  hasWatchPaths: false,
};

export type DefinitionName = (kind: { readonly group: string; readonly version: string; readonly kind: string }) => string;

/**
 * The paths of a resource at one version, of its subresources too.
 * Source: apiserver `pkg/endpoints/installer.go`, apiextensions `pkg/controller/openapi/builder`.
 */
export function resourcePaths(served: Served, definitionName: DefinitionName): readonly Path[] {
  const paths = new PathWriter(served, definitionName);
  return [...paths.collection(), ...paths.item(), ...served.version.subresources.flatMap((subresource) => paths.subresource(subresource))];
}

/** A path with its operations; each of them has the parameters that stand in the path, too. */
export type Path = readonly [path: string, operations: readonly Operation[]];

interface Place {
  readonly path: string;
  readonly parameters: readonly Parameter[];
}

class PathWriter {
  readonly #served: Served;
  readonly #dialect: Dialect;
  readonly #nameOf: DefinitionName;
  readonly #scope: string;
  readonly #root: string;
  readonly #ownParameters: readonly Parameter[];

  constructor(served: Served, nameOf: DefinitionName) {
    const { resource } = served;
    this.#served = served;
    this.#nameOf = nameOf;
    this.#dialect = resource.isCustom ? CUSTOM : BUILTIN;
    const isNamespaced = resource.scope === 'Namespaced';
    this.#scope = isNamespaced ? 'Namespaced' : '';
    this.#root = groupVersionPath(apiVersionOf(servedGroupVersion(served)));
    this.#ownParameters = isNamespaced ? [pathParameter('namespace')] : [];
  }

  collection(): readonly Path[] {
    const { resource, version } = this.#served;
    const local = this.#place('');
    const operations = this.#operations(version.verbs, ['list', 'create', 'deletecollection']);
    const paths: Path[] = operations.length === 0 ? [] : [this.#path(local, operations)];
    const everywhere = { path: `${this.#root}/${resource.plural}`, parameters: [] };
    if (version.verbs.includes('list') && resource.scope === 'Namespaced') {
      paths.push(this.#path(everywhere, [{ ...this.#list(), name: `list${resource.kind}ForAllNamespaces` }]));
    }
    if (!this.#dialect.hasWatchPaths || !version.verbs.includes('watch')) return paths;
    paths.push(this.#path(this.#watched(local), [this.#watch(`watch${this.#scope}${resource.kind}List`, 'watchlist')]));
    if (resource.scope === 'Namespaced') {
      paths.push(this.#path(this.#watched(everywhere), [this.#watch(`watch${resource.kind}ListForAllNamespaces`, 'watchlist')]));
    }
    return paths;
  }

  item(): readonly Path[] {
    const { resource, version } = this.#served;
    const place = this.#place('/{name}');
    const operations = this.#operations(version.verbs, ['get', 'update', 'delete', 'patch']);
    const paths: Path[] = operations.length === 0 ? [] : [this.#path(place, operations)];
    if (this.#dialect.hasWatchPaths && version.verbs.includes('watch')) {
      paths.push(this.#path(this.#watched(place), [this.#watch(`watch${this.#scope}${resource.kind}`, 'watch')]));
    }
    return paths;
  }

  subresource(subresource: Subresource): readonly Path[] {
    const place = this.#place(`/{name}/${subresource.name}`);
    const methods = CONNECT_METHODS[subresource.name];
    if (methods === undefined || this.#served.resource.isCustom) {
      return [this.#path(place, this.#operations(subresource.verbs, ['get', 'create', 'update', 'delete', 'patch'], subresource))];
    }
    const connect = (suffix: string): Operation[] => methods.map((method) => this.#connect(method, { subresource, suffix }));
    if (subresource.name !== 'proxy') return [this.#path(place, connect(''))];
    const below = { path: `${place.path}/{path}`, parameters: [...place.parameters, pathParameter('path')] };
    return [this.#path(place, connect('')), this.#path(below, connect('WithPath'))];
  }

  #path({ path, parameters }: Place, operations: readonly Operation[]): Path {
    return [path, operations.map((operation) => ({ ...operation, parameters: [...operation.parameters, ...parameters] }))];
  }

  #place(below: string): Place {
    const { plural, scope } = this.#served.resource;
    const above = scope === 'Namespaced' ? `${this.#root}/namespaces/{namespace}` : this.#root;
    return {
      path: `${above}/${plural}${below}`,
      parameters: below === '' ? this.#ownParameters : [...this.#ownParameters, pathParameter('name')],
    };
  }

  #watched({ path, parameters }: Place): Place {
    return { path: `${this.#root}/watch${path.slice(this.#root.length)}`, parameters };
  }

  #operations(verbs: readonly Verb[], among: readonly Verb[], subresource?: Subresource): Operation[] {
    return among
      .filter((verb) => verbs.includes(verb))
      .map((verb) => (verb === 'list' ? this.#list() : this.#operation(verb, subresource)));
  }

  #list(): Operation {
    const { resource } = this.#served;
    const kind = this.#kind();
    return {
      method: 'get',
      name: `list${this.#scope}${resource.kind}`,
      action: 'list',
      kind,
      parameters: [...PRETTY, ...LIST_OPTIONS],
      consumes: this.#dialect.bodies,
      answer: { definition: this.#nameOf({ ...kind, kind: resource.listKind }), contentTypes: this.#dialect.streams, codes: [200] },
    };
  }

  #watch(name: string, action: string): Operation {
    return {
      method: 'get',
      name,
      action,
      kind: this.#kind(),
      parameters: [...PRETTY, ...LIST_OPTIONS],
      consumes: this.#dialect.bodies,
      answer: { definition: `${META}WatchEvent`, contentTypes: this.#dialect.streams, codes: [200] },
    };
  }

  #operation(verb: Verb, subresource: Subresource | undefined): Operation {
    const { resource } = this.#served;
    const kind = this.#kind(subresource);
    const own = this.#nameOf(kind);
    // The operations of a custom resource all carry its own kind.
    const marked = resource.isCustom ? this.#kind() : kind;
    const dialect = this.#dialect;
    const form = FORMS[verb];
    if (form === undefined) throw new RangeError(`no operation for the verb ${verb}`);
    const isDeletion = form.method === 'delete';
    const isWholeDeleted = verb === 'delete' && !resource.isCustom && RETURNED_WHEN_DELETED.has(`${resource.group}/${resource.plural}`);
    const isLog = subresource?.name === 'log';
    const answer = isDeletion && !isWholeDeleted ? `${META}Status` : own;
    return {
      method: form.method,
      name: `${form.word}${this.#scope}${resource.kind}${capital(subresource?.name ?? '')}`,
      action: verb === 'deletecollection' ? verb : form.method,
      kind: marked,
      parameters: [...PRETTY, ...form.parameters(dialect), ...(isLog ? (OWN_OPTIONS['log'] ?? []) : [])],
      consumes: verb === 'patch' ? dialect.patches : dialect.bodies,
      ...this.#body(verb, own),
      answer: {
        definition: isLog ? undefined : answer,
        contentTypes: isLog ? ['text/plain', ...dialect.answers] : dialect.answers,
        codes: verb === 'patch' ? dialect.patchCodes : form.codes,
      },
    };
  }

  #body(verb: Verb, own: string): Pick<Operation, 'body'> {
    if (verb === 'get' || (verb === 'deletecollection' && !this.#dialect.deleteCollectionHasBody)) return {};
    if (verb === 'patch') return { body: { definition: `${META}Patch` } };
    if (verb === 'create' || verb === 'update') return { body: { definition: own } };
    return { body: { definition: `${META}DeleteOptions`, isOptional: true } };
  }

  #connect(method: Method, { subresource, suffix }: { subresource: Subresource; suffix: string }): Operation {
    const { resource } = this.#served;
    return {
      method,
      name: `connect${capital(method)}${this.#scope}${resource.kind}${capital(subresource.name)}${suffix}`,
      action: 'connect',
      kind: this.#kind(subresource),
      parameters: OWN_OPTIONS[subresource.name] ?? [],
      consumes: ['*/*'],
      answer: { definition: undefined, contentTypes: ['*/*'], codes: [200] },
    };
  }

  #kind(subresource?: Subresource): { group: string; version: string; kind: string } {
    const { resource, version } = this.#served;
    const own = { group: resource.group, version: version.version, kind: resource.kind };
    if (subresource === undefined) return own;
    return { group: subresource.group ?? own.group, version: subresource.version ?? own.version, kind: subresource.kind };
  }
}

/** Built-in kinds whose documented DELETE answers with the object. (Strategies know it too, but would all have to be made for the sake of documents.) */
const RETURNED_WHEN_DELETED: ReadonlySet<string> = new Set([
  ...['persistentvolumeclaims', 'persistentvolumes', 'pods', 'podtemplates', 'resourcequotas', 'serviceaccounts', 'services'].map(
    (name) => `/${name}`,
  ),
  ...['deviceclasses', 'resourceclaims', 'resourceclaimtemplates', 'resourceslices'].map((name) => `resource.k8s.io/${name}`),
  ...['csidrivers', 'csinodes', 'storageclasses', 'volumeattachments', 'volumeattributesclasses'].map((name) => `storage.k8s.io/${name}`),
]);

/** Subresources that are a connection to a pod, a service or a node. */
const CONNECT_METHODS: Readonly<Record<string, readonly Method[]>> = {
  attach: ['get', 'post'],
  exec: ['get', 'post'],
  portforward: ['get', 'post'],
  proxy: ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'],
};

interface Form {
  readonly method: Method;
  readonly word: string;
  readonly codes: readonly number[];
  parameters(dialect: Dialect): readonly Parameter[];
}

const FORMS: Partial<Readonly<Record<Verb, Form>>> = {
  get: { method: 'get', word: 'read', codes: [200], parameters: ({ getOptions }) => getOptions },
  create: { method: 'post', word: 'create', codes: [200, 201, 202], parameters: () => WRITE_OPTIONS },
  update: { method: 'put', word: 'replace', codes: [200, 201], parameters: () => WRITE_OPTIONS },
  patch: { method: 'patch', word: 'patch', codes: [200], parameters: () => PATCH_OPTIONS },
  delete: { method: 'delete', word: 'delete', codes: [200, 202], parameters: () => DELETE_OPTIONS },
  deletecollection: {
    method: 'delete',
    word: 'deletecollection',
    codes: [200],
    parameters: ({ deleteCollection }) => deleteCollection,
  },
};
