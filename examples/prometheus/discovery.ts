import { type Assets, accessOf } from './assets.js';
import type { Prometheus } from './kinds.js';
import type { ScrapeContext } from './scrape.js';

/** The fields of an object that say where its targets are looked for. */
interface Looking {
  readonly metadata: { readonly namespace?: string | undefined };
  readonly spec: {
    readonly namespaceSelector?: NamespaceSelector | undefined;
    readonly attachMetadata?: { readonly node?: boolean | undefined } | undefined;
  };
}

interface NamespaceSelector {
  readonly any?: boolean | undefined;
  readonly matchNames?: readonly string[] | undefined;
}

/** A discovery in the cluster: in the object's own namespace, unless it names others and may. */
export function discoveryOf(
  { metadata: { namespace = '' }, spec: { namespaceSelector = {}, attachMetadata } }: Looking,
  role: 'endpoints' | 'pod' | 'ingress',
  { prometheus, apiServer }: ScrapeContext,
): object {
  const { any = false, matchNames = [] } = prometheus.spec.ignoreNamespaceSelectors ? {} : namespaceSelector;
  const names = matchNames.length === 0 ? [namespace] : matchNames;
  return {
    role,
    ...(any ? {} : { namespaces: { names } }),
    ...apiServer,
    ...(attachMetadata?.node === true ? { attach_metadata: { node: true } } : {}),
  };
}

/** The part of a discovery that says where the API server is. @throws InvalidObject if the Prometheus names what is not there */
export function apiServerOf({ spec: { apiserverConfig }, metadata }: Prometheus, assets: Assets): object {
  if (apiserverConfig === undefined) return {};
  return {
    api_server: apiserverConfig.host,
    ...accessOf(apiserverConfig, assets, { namespace: metadata.namespace ?? '', field: 'spec.apiserverConfig' }),
  };
}
