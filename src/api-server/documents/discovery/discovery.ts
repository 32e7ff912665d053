import { createHash } from 'node:crypto';
import { apiVersionOf } from '@keelson/kubernetes/apimachinery';
import type { ResourceCatalog } from '../../contract/index.js';
import { statusBody } from '../../status/index.js';
import { wantsAggregated } from './accept.js';
import { type ApiGroup, apiGroups, inLegacyOrder } from './group-order.js';
import { aggregatedRow, legacyRows, type Row } from './resource-rows.js';
import { SERVER_VERSION } from './server-version.js';

const AGGREGATED_TYPE = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

export interface DocumentRequest {
  /** Without the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A finished answer, or an object that is still to be written in the form that the client accepts (JSON, YAML). */
export type DocumentAnswer =
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  | { readonly status: number; readonly object: Row };

export interface DiscoveryOptions {
  readonly catalog: ResourceCatalog;
  /** Paths beside those of the API that `/` lists (`/healthz`, `/metrics` …). */
  readonly otherPaths?: readonly string[];
}

interface Documents {
  readonly revision: number;
  readonly groups: readonly ApiGroup[];
  readonly aggregated: Map<string, { readonly body: string; readonly etag: string }>;
}

/**
 * Discovery: `/api`, `/apis`, `/apis/G`, `/apis/G/V`, `/api/v1` (aggregated for clients that ask for it), `/version` and `/`.
 *
 * Documents are made when they are first asked for after a change of the catalog. Source: apiserver `pkg/endpoints/discovery`, kube-aggregator
 * `pkg/apiserver`, apiextensions `customresource_discovery_controller.go`.
 */
export class Discovery {
  readonly #catalog: ResourceCatalog;
  readonly #otherPaths: readonly string[];
  #documents: Documents | undefined;

  constructor({ catalog, otherPaths = [] }: DiscoveryOptions) {
    this.#catalog = catalog;
    this.#otherPaths = otherPaths;
  }

  /** @returns undefined for a path outside of discovery, or of a group that is not served: a plain `404 page not found`. */
  answer({ path, headers }: DocumentRequest): DocumentAnswer | undefined {
    if (path === '/') return indented({ paths: this.#paths() });
    const [root, group, version, ...more] = path.replace(/\/$/, '').split('/').slice(1);
    if (root === 'version' && group === undefined) return indented(SERVER_VERSION);
    if (more.length > 0 || (root !== 'api' && root !== 'apis')) return undefined;
    if (group === undefined) {
      return wantsAggregated(headers['accept']) ? this.#aggregated(root, headers) : { status: 200, object: this.#index(root, headers) };
    }
    if (root === 'api') return version === undefined ? this.#version('', group) : undefined;
    return version === undefined ? this.#group(group) : this.#version(group, version);
  }

  #index(root: 'api' | 'apis', headers: DocumentRequest['headers']): Row {
    const { groups } = this.#current();
    if (root === 'apis') {
      return {
        kind: 'APIGroupList',
        apiVersion: 'v1',
        groups: inLegacyOrder(groups)
          .filter(({ group }) => group !== '')
          .map(groupRow),
      };
    }
    const versions = groups.find(({ group }) => group === '')?.versions ?? [];
    return {
      kind: 'APIVersions',
      versions: versions.map(({ version }) => version),
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: headers['host'] ?? '' }],
    };
  }

  #group(name: string): DocumentAnswer | undefined {
    const found = this.#current().groups.find(({ group }) => group === name);
    return found === undefined || name === ''
      ? undefined
      : { status: 200, object: { kind: 'APIGroup', apiVersion: 'v1', ...groupRow(found) } };
  }

  #version(groupName: string, versionName: string): DocumentAnswer | undefined {
    const group = this.#current().groups.find((candidate) => candidate.group === groupName);
    const found = group?.versions.find(({ version }) => version === versionName);
    if (found !== undefined) {
      // The core group's document has no apiVersion.
      const apiVersion = groupName === '' ? {} : { apiVersion: 'v1' };
      const groupVersion = apiVersionOf({ group: groupName, version: versionName });
      return {
        status: 200,
        object: { kind: 'APIResourceList', ...apiVersion, groupVersion, resources: found.resources.flatMap(legacyRows) },
      };
    }
    if (group?.versions.some(({ resources }) => resources.some(({ resource }) => !resource.isCustom)) !== true) return undefined;
    const message = 'the server could not find the requested resource';
    return { status: 404, object: statusBody({ status: 'Failure', message, reason: 'NotFound', details: {}, code: 404 }) };
  }

  #aggregated(root: 'api' | 'apis', headers: DocumentRequest['headers']): DocumentAnswer {
    const { aggregated, groups } = this.#current();
    let document = aggregated.get(root);
    if (document === undefined) {
      const body = JSON.stringify(aggregatedList(groups.filter(({ group }) => (group === '') === (root === 'api'))));
      document = { body: `${body}\n`, etag: `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"` };
      aggregated.set(root, document);
    }
    const cached = { ETag: document.etag, Vary: 'Accept', 'Cache-Control': 'public' };
    if (headers['if-none-match'] === document.etag) return { status: 304, headers: cached, body: '' };
    return { status: 200, headers: { ...cached, 'Content-Type': AGGREGATED_TYPE }, body: document.body };
  }

  #paths(): readonly string[] {
    const paths = ['/api', '/apis', '/apis/', '/version', ...this.#otherPaths];
    for (const { group, versions } of this.#current().groups) {
      const root = group === '' ? '/api' : `/apis/${group}`;
      paths.push(root, ...versions.map(({ version }) => `${root}/${version}`));
    }
    return [...new Set(paths)].sort();
  }

  #current(): Documents {
    const { revision } = this.#catalog;
    if (this.#documents?.revision !== revision) {
      this.#documents = { revision, groups: apiGroups(this.#catalog), aggregated: new Map() };
    }
    return this.#documents;
  }
}

function groupRow({ group, versions }: ApiGroup): Row {
  const rows = versions.map(({ version }) => ({ groupVersion: apiVersionOf({ group, version }), version }));
  return { name: group, versions: rows, preferredVersion: rows[0] };
}

function aggregatedList(groups: readonly ApiGroup[]): Row {
  const items = groups.map(({ group, versions }) => ({
    metadata: group === '' ? {} : { name: group },
    versions: versions.map(({ version, resources }) => ({ version, resources: resources.map(aggregatedRow), freshness: 'Current' })),
  }));
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
}

/** Written by hand in the real server, without regard to `Accept`. */
function indented(document: Row): DocumentAnswer {
  return { status: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(document, undefined, 2) };
}
