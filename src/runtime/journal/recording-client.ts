import type { KindInfo, ObjectKey } from '@keelson/kubernetes/apimachinery';
import type { StoredObject } from '../cache/index.js';
import type { ApiClient } from '../client/index.js';
import { differencesOf } from './difference.js';
import type { Journal } from './journal.js';
import type { JournalWrite, RunRecord } from './run-record.js';

/** The state of an object that the caches hold; `undefined` where they do not. */
export type Known = (kind: KindInfo, key: ObjectKey) => StoredObject | undefined;

type Method = (...given: readonly unknown[]) => unknown;

const SUBRESOURCE_VERBS = ['create', 'update', 'patch', 'apply'] as const;
const BODIES: ReadonlySet<string> = new Set(['create', 'update', 'apply']);

/** Where the reads and writes of a run are kept. */
export type Recording = Pick<Journal, 'current'>;

/**
 * A client that writes the reads and writes of runs into the journal. Beside runs it is as it was.
 *
 * @param isDry whether the client stores nothing by default
 */
export function recordingClient(client: ApiClient, journal: Recording, known: Known, isDry = false): ApiClient {
  return new Proxy(client, {
    get(of, name) {
      const member: unknown = Reflect.get(of, name, of);
      if (typeof member !== 'function') return member;
      const method = member.bind(of) as Method;
      switch (name) {
        case 'get':
          return (kind: KindInfo, key: ObjectKey, ...rest: unknown[]) => readOne(journal, { kind, key }, () => method(kind, key, ...rest));
        case 'list':
        case 'listAll':
          return (kind: KindInfo, ...rest: unknown[]) => readList(journal, kind, () => method(kind, ...rest));
        case 'create':
        case 'update':
        case 'apply':
        case 'patch':
        case 'delete':
          return (kind: KindInfo, target: object, ...rest: unknown[]) => {
            // A deletion has its options where others have their body.
            const options = rest[name === 'patch' ? 1 : 0];
            const body = BODIES.has(name)
              ? target
              : name === 'patch'
                ? (rest[0] as { readonly body?: object } | undefined)?.body
                : undefined;
            const write = { kind, verb: name, key: keyOf(target), body, isDryRun: isDryRun(options, isDry) };
            return recorded(journal, known, write, () => method(kind, target, ...rest));
          };
        case 'status':
        case 'scale':
          return (kind: KindInfo) => recordingSubresource(method(kind) as object, { journal, known, kind, subresource: name, isDry });
        case 'subresource':
          return (kind: KindInfo, subresource: string) =>
            recordingSubresource(method(kind, subresource) as object, { journal, known, kind, subresource, isDry });
        case 'with':
          return (defaults: unknown) => recordingClient(method(defaults) as ApiClient, journal, known, isDryRun(defaults, isDry));
        default:
          return method;
      }
    },
  });
}

interface Part {
  readonly journal: Recording;
  readonly isDry: boolean;
  readonly known: Known;
  readonly kind: KindInfo;
  readonly subresource: string;
}

function recordingSubresource(target: object, { journal, known, kind, subresource, isDry }: Part): object {
  return new Proxy(target, {
    get(of, name) {
      const member: unknown = Reflect.get(of, name, of);
      if (typeof member !== 'function') return member;
      const method = member.bind(of) as Method;
      const verb = SUBRESOURCE_VERBS.find((each) => each === name);
      if (verb === undefined) return method;
      return (key: ObjectKey, body: object, options?: unknown) => {
        const sent = verb === 'patch' ? (body as { readonly body?: object }).body : body;
        const write = { kind, verb, key, subresource, body: sent, isDryRun: isDryRun(options, isDry) };
        return recorded(journal, known, write, () => method(key, body, options));
      };
    },
  });
}

interface Write {
  readonly kind: KindInfo;
  readonly verb: JournalWrite['verb'];
  readonly key: { readonly name?: string | undefined; readonly namespace?: string | undefined };
  readonly subresource?: string;
  /** Absent for deletions. */
  readonly body: object | undefined;
  readonly isDryRun: boolean;
}

async function recorded(journal: Recording, known: Known, write: Write, call: () => unknown): Promise<unknown> {
  const record = journal.current;
  if (record === undefined) return call();
  const { kind, verb, key, subresource, body, isDryRun: dry } = write;
  const before = key.name === undefined ? undefined : known(kind, { ...key, name: key.name });
  const entry = (object: string, changes: readonly string[]): Omit<JournalWrite, 'error'> => ({
    kind: kind.kind,
    verb,
    ...(subresource === undefined ? {} : { subresource }),
    object,
    changes,
    ...(dry ? { isDryRun: true } : {}),
  });
  try {
    const answer = await call();
    record.wrote(entry(textOf(answered(answer) ?? key), changesOf(write, before, answer)));
    return answer;
  } catch (error) {
    // The fields that it would have set; a deletion sets no field.
    record.wrote(entry(textOf(key), body === undefined ? [] : differencesOf(kind.kind, undefined, body)), error);
    throw error;
  }
}

function changesOf({ kind, verb, body }: Write, before: StoredObject | undefined, answer: unknown): readonly string[] {
  if (verb === 'delete') return [];
  const after = answered(answer) === undefined ? undefined : (answer as StoredObject);
  // Where another object had the name, or none is known, the fields that were sent say the most.
  if (before === undefined || after === undefined || after.metadata.uid !== before.metadata.uid)
    return differencesOf(kind.kind, undefined, body ?? {});
  return differencesOf(kind.kind, before, after);
}

/** The key of an answer that is an object of the kind: `generateName` has made its name. */
function answered(answer: unknown): Write['key'] | undefined {
  const metadata = (answer as { readonly metadata?: { readonly name?: string; readonly namespace?: string } } | undefined)?.metadata;
  return metadata?.name === undefined ? undefined : metadata;
}

async function readOne(
  journal: Recording,
  { kind, key }: { readonly kind: KindInfo; readonly key: ObjectKey },
  call: () => unknown,
): Promise<unknown> {
  const record = journal.current;
  if (record === undefined) return call();
  const entry = { kind: kind.kind, verb: 'get', from: 'server', object: textOf(key) } as const;
  try {
    const found = (await call()) as StoredObject;
    record.read({ ...entry, version: found.metadata.resourceVersion });
    return found;
  } catch (error) {
    record.read(entry);
    throw error;
  }
}

async function readList(journal: Recording, kind: KindInfo, call: () => unknown): Promise<unknown> {
  const record: RunRecord | undefined = journal.current;
  const answer = (await call()) as { readonly items: readonly unknown[] };
  record?.read({ kind: kind.kind, verb: 'list', from: 'server', count: answer.items.length });
  return answer;
}

function isDryRun(options: unknown, byDefault: boolean): boolean {
  const dryRun = typeof options === 'object' && options !== null && 'dryRun' in options ? options.dryRun : undefined;
  return dryRun === undefined ? byDefault : dryRun === true;
}

function keyOf(target: object): Write['key'] {
  return 'metadata' in target ? (target.metadata as Write['key']) : (target as Write['key']);
}

function textOf({ name = '', namespace }: Write['key']): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
