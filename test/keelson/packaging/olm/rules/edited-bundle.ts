import { randomBytes } from 'node:crypto';
import type { PackageFile } from 'keelson/packaging';
import { parse, stringify } from 'yaml';
import { memcachedBundle } from '../../../../../examples/memcached/bundle.js';

// biome-ignore lint/suspicious/noExplicitAny: a bundle is taken apart here in every way, wrong ones among them.
export type Loose = any;
export type Change = (files: Map<string, string>) => void;

export const CSV = 'manifests/memcached-operator.clusterserviceversion.yaml';
export const CRD = 'manifests/cache.example.com_memcacheds.yaml';
export const ANNOTATIONS = 'metadata/annotations.yaml';

/** The bundle of the memcached example, which has no problems. */
export const FILES = memcachedBundle.files();

/** {@link FILES} with a change. */
export function changed(change: Change): readonly PackageFile[] {
  const files = new Map(FILES.map(({ path, text }) => [path, text]));
  change(files);
  return [...files].map(([path, text]) => ({ path, text }));
}

/** A change of the object in a file. */
export function edit(path: string, change: (document: Loose) => void): Change {
  return (files) => {
    const document: Loose = parse(files.get(path) ?? '');
    change(document);
    files.set(path, stringify(document, { version: '1.1' }));
  };
}

/** A change of the ClusterServiceVersion. */
export function csv(change: (document: Loose) => void): Change {
  return edit(CSV, change);
}

/** One more object. */
export function object(path: string, kind: string, more: object = {}): Change {
  return (files) => {
    files.set(`manifests/${path}`, stringify({ apiVersion: 'v1', kind, metadata: { name: 'a' }, ...more }));
  };
}

export function channel(name: string): Change {
  return edit(ANNOTATIONS, ({ annotations }) => (annotations['operators.operatorframework.io.bundle.channels.v1'] = name));
}

/** One more right of the operator in the cluster. */
export function grant(rule: object): Change {
  return csv(({ spec }) =>
    spec.install.spec.clusterPermissions[0].rules.push({ apiGroups: [''], resources: ['pods'], verbs: ['get'], ...rule }),
  );
}

/** The container of the operator. */
export function container(document: Loose): Loose {
  return document.spec.install.spec.deployments[0].spec.template.spec.containers[0];
}

/** Bytes that do not compress, in so many KiB of text. */
export function ballast(kibibytes: number): Change {
  return object('ballast.yaml', 'ConfigMap', { data: { noise: randomBytes(kibibytes * 768).toString('base64') } });
}
