import { TerminalError } from 'keelson/internal/definition';
import type { StoredObject } from '../cache/index.js';
import { type ApiClient, type ApiError, isInvalid, type UntypedObject } from '../client/index.js';
import { type Child, describe } from './child.js';

/** In the words of validation: of most kinds, of Pods and StatefulSets, of claims, of CEL rules that compare with `oldSelf`. */
const WORDS =
  /immutable|may not (?:be )?change|updates? to .* (?:is|are) forbidden|updates? may not change|can(?:not|'t) be (?:changed|updated|modified)|once set|after creation/i;

interface Asked {
  readonly client: Pick<ApiClient, 'apply'>;
  readonly fieldManager: string;
  readonly signal: AbortSignal;
  /** The object is going to be deleted: it must be possible to make it anew. */
  readonly deletes: boolean;
}

/**
 * Whether the API server refuses a change because of what the object was before, so that the same content would be taken as a new object.
 *
 * Its words identify most; for rules that say it in words of their own, a creation under another name is tried without being stored. The same is done before
 * every deletion: one change may be of an immutable field and have a bad value, and then the object would be gone for good.
 */
export async function isImmutability(error: unknown, child: Child, manifest: UntypedObject, asked: Asked): Promise<boolean> {
  if (!isInvalid(error)) return false;
  const isSaid = WORDS.test(error.message) || error.causes.some(({ message }) => WORDS.test(message ?? ''));
  if (isSaid && !asked.deletes) return true;
  const refusal = await refusalAnew(child, manifest, asked);
  // Refused as a new object too: the content is wrong, and the first error says why. Other refusals, such as that of a quota, say nothing about the content.
  return isSaid ? !isInvalid(refusal) : refusal === undefined;
}

async function refusalAnew({ kind }: Child, manifest: UntypedObject, { client, fieldManager, signal }: Asked): Promise<unknown> {
  const { uid: _, ...metadata } = manifest.metadata as StoredObject['metadata'];
  const name = `${metadata.name.slice(0, 40)}-keelson-check`;
  try {
    await client.apply(kind, { ...manifest, metadata: { ...metadata, name } } as never, {
      fieldManager,
      force: true,
      dryRun: true,
      signal,
    });
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Trying again is pointless before the object, or the declaration, changes. */
export function immutableError(live: StoredObject, error: unknown): TerminalError {
  const { causes = [], message } = error as Partial<ApiError> & Error;
  const fields = [
    ...new Set((causes as readonly { readonly field?: string | undefined }[]).flatMap(({ field }) => (field === undefined ? [] : [field]))),
  ];
  const what = fields.length === 0 ? 'a field' : fields.join(', ');
  const ways = `own(${live.kind}, { onImmutable: 'recreate' }) deletes it and makes it anew, onImmutable: 'keep' leaves it as it is`;
  // The server's words may quote a whole template: what to do comes first.
  return new TerminalError(`${describe(live)}: ${what} cannot be changed; ${ways}; the API server says: ${message}`, { cause: error });
}
