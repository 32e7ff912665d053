import type { X509Certificate } from 'node:crypto';
import { CustomResourceDefinition, MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@keelson/kubernetes/kinds';
import type { SelfManagedCertificateSettings } from 'keelson/internal/definition';
import { type ApiClient, type CallOptions, jsonPatch, type PatchOperation } from '../client/index.js';
import { hasAll, joined, unexpired } from './bundle.js';
import { CertificateManagerError } from './errors.js';

interface Injectable {
  readonly metadata: { readonly resourceVersion: string };
}

/** An object whose client configurations carry the bundle. */
export interface Target {
  readonly kind: typeof MutatingWebhookConfiguration | typeof ValidatingWebhookConfiguration | typeof CustomResourceDefinition;
  readonly name: string;
}

interface ClientConfig {
  /** JSON pointer. */
  readonly path: string;
  readonly caBundle: string;
}

export function targetsOf(settings: SelfManagedCertificateSettings): readonly Target[] {
  const { mutatingConfiguration, validatingConfiguration, conversionCrds } = settings;
  return [
    ...(mutatingConfiguration === undefined ? [] : [{ kind: MutatingWebhookConfiguration, name: mutatingConfiguration }]),
    ...(validatingConfiguration === undefined ? [] : [{ kind: ValidatingWebhookConfiguration, name: validatingConfiguration }]),
    ...conversionCrds.map((name) => ({ kind: CustomResourceDefinition, name })),
  ];
}

/**
 * Sees to it that every client configuration of an object trusts the bundle.
 *
 * Nothing that has not ended is taken away: another replica may be ahead of this one. Written only when something is missing, and only upon what was read.
 * @returns whether it had to be written
 * @throws CertificateManagerError for a CRD that is not converted by a webhook; and the client's errors
 */
export async function inject(
  client: Pick<ApiClient, 'get' | 'patch'>,
  { kind, name }: Target,
  { bundle, nowMs, ...call }: { readonly bundle: readonly X509Certificate[]; readonly nowMs: number } & CallOptions,
): Promise<boolean> {
  const object = await client.get(kind, { name }, call);
  const operations = clientConfigsOf(object).flatMap(({ path, caBundle }): PatchOperation[] => {
    const present = unexpired(Buffer.from(caBundle, 'base64').toString('utf8'), nowMs);
    if (hasAll(present, bundle)) return [];
    return [{ op: 'add', path: `${path}/caBundle`, value: Buffer.from(joined(bundle, present)).toString('base64') }];
  });
  if (operations.length === 0) return false;
  const { resourceVersion } = (object as Injectable).metadata;
  await client.patch(
    kind,
    { name },
    jsonPatch([{ op: 'test', path: '/metadata/resourceVersion', value: resourceVersion }, ...operations]),
    call,
  );
  return true;
}

function clientConfigsOf(object: unknown): readonly ClientConfig[] {
  const { webhooks, spec, metadata } = object as {
    readonly metadata: { readonly name: string };
    readonly webhooks?: readonly { readonly clientConfig: { readonly caBundle?: string } }[];
    readonly spec?: {
      readonly conversion?: { readonly strategy: string; readonly webhook?: { readonly clientConfig?: { readonly caBundle?: string } } };
    };
  };
  if (spec === undefined)
    return (webhooks ?? []).map(({ clientConfig }, index) => ({
      path: `/webhooks/${index}/clientConfig`,
      caBundle: clientConfig.caBundle ?? '',
    }));
  const { conversion } = spec;
  if (conversion?.strategy !== 'Webhook' || conversion.webhook?.clientConfig === undefined)
    throw new CertificateManagerError(
      `the CustomResourceDefinition ${metadata.name} is not converted by a webhook; apply the manifests of this version of the operator`,
    );
  return [{ path: '/spec/conversion/webhook/clientConfig', caBundle: conversion.webhook.clientConfig.caBundle ?? '' }];
}
