import { isRecord } from '@keelson/kubernetes/apimachinery';
import type { ApiClient } from '../client/index.js';

/** The schemas of one group and version, as the API server served them last. */
export type ServedGroup =
  /** By kind. */
  | { readonly is: 'served'; readonly tag: string | undefined; readonly schemas: ReadonlyMap<string, unknown> }
  | { readonly is: 'unchanged' }
  | { readonly is: 'absent' }
  | { readonly is: 'unreadable'; readonly why: string };

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** A document that is parsed holds up everything else: that of prometheus-operator, the largest that is known, has 2 MiB. */
const MAX_BYTES = 8 * 1024 * 1024;
const DEADLINE_MS = 30_000;

/**
 * Reads the OpenAPI document of a group and version, which every authenticated user may (`system:discovery`): no right on CustomResourceDefinitions is needed.
 *
 * @param tag of the document that is known already
 * @throws the errors of `http/` when there is no answer, or one that is too large
 */
export async function readServedGroup(
  client: Pick<ApiClient, 'transport'>,
  { group, version }: GroupVersion,
  { tag, signal }: { readonly tag: string | undefined; readonly signal: AbortSignal },
): Promise<ServedGroup> {
  const { status, headers, body } = await client.transport.request({
    method: 'GET',
    path: `/openapi/v3/apis/${group}/${version}`,
    headers: { accept: 'application/json', ...(tag === undefined ? {} : { 'if-none-match': tag }) },
    deadlineMs: DEADLINE_MS,
    maxResponseBytes: MAX_BYTES,
    signal,
  });
  if (status === 304) return { is: 'unchanged' };
  if (status === 404) return { is: 'absent' };
  if (status !== 200) return { is: 'unreadable', why: `status ${status}` };
  const schemas = schemasOf(body.toString('utf8'), { group, version });
  if (schemas === undefined) return { is: 'unreadable', why: 'the answer is no OpenAPI document' };
  return { is: 'served', tag: headers.etag, schemas };
}

function schemasOf(text: string, groupVersion: GroupVersion): ReadonlyMap<string, unknown> | undefined {
  const document = parsed(text);
  const components = isRecord(document) ? document['components'] : undefined;
  const named = isRecord(components) ? components['schemas'] : undefined;
  if (!isRecord(named)) return undefined;
  return new Map(Object.values(named).flatMap((schema) => kindsOf(schema, groupVersion).map((kind) => [kind, schema] as const)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy may have answered: its page does not belong in a log.
    return undefined;
  }
}

function kindsOf(schema: unknown, { group, version }: GroupVersion): readonly string[] {
  const kinds = isRecord(schema) ? schema['x-kubernetes-group-version-kind'] : undefined;
  return (Array.isArray(kinds) ? (kinds as unknown[]) : []).flatMap((kind) =>
    isRecord(kind) && kind['group'] === group && kind['version'] === version && typeof kind['kind'] === 'string' ? [kind['kind']] : [],
  );
}
