import { randomInt, randomUUID } from 'node:crypto';
import type {
  Admission,
  Api,
  ApiWatch,
  Deleted,
  DeleteOptions,
  JsonObject,
  ListOptions,
  ObjectList,
  PatchRequest,
  RequestBody,
  RequestContext,
  ServedVersion,
  Target,
  WatchOptions,
  WrittenObject,
} from '../contract/index.js';
import { type BuiltinDefinitions, builtinDefinitions } from '../documents/index.js';
import type { Store } from '../store/index.js';
import { GoTypes } from '../values/index.js';
import { createObject } from './create.js';
import { deleteObject } from './delete.js';
import { deleteCollection } from './delete-collection.js';
import type { Parts } from './parts.js';
import { patchObject } from './patch.js';
import { putObject } from './put.js';
import { getObject, listObjects } from './read.js';
import { scaleSubject } from './scale-subject.js';
import { decoderOfOthers, objectSubject, type Subject } from './subject.js';
import { Views } from './views.js';
import { watchObjects } from './watch.js';

export interface RegistryOptions {
  readonly store: Store;
  readonly admission: Admission;
  /** @defaultValue random UUIDs */
  readonly uids?: () => string;
  /**
   * The suffix of a generateName.
   * @defaultValue five random characters of those that the server uses: no vowels, so that they make no words
   */
  readonly suffixes?: () => string;
  /** The types of the built-in kinds: they read Scales, and separate a wrong kind from an unknown one. Default: its own; a server shares those that it has. */
  readonly types?: GoTypes;
  readonly definitions?: BuiltinDefinitions;
}

/**
 * The verbs of the API over a {@link Store}: for every kind the same steps, with the kind's own {@link Strategy} in between.
 *
 * Guarantees: 1. a write is made as a whole or not at all, and from the object that it was computed from: the slower writer is refused (with a resourceVersion)
 * or does it again (without). 2. A dry run answers as the write would have answered. 3. All readers of an object at a version get the same frozen
 * JavaScript object until it is written again.
 * Errors: every refusal is a StatusError with the server's own words.
 */
export class Registry implements Api {
  readonly #parts: Parts;

  constructor({ store, admission, uids = randomUUID, suffixes = randomSuffix, types, definitions }: RegistryOptions) {
    this.#parts = { store, admission, uids, suffixes, views: new Views(), subjectOf: subjectsOf({ types, definitions }) };
  }

  create(target: Target, body: RequestBody, context: RequestContext): Promise<JsonObject> {
    return writing(context, (own) => createObject(this.#parts, { target, body }, own));
  }

  async get(target: Target, options: Pick<ListOptions, 'resourceVersion'>): Promise<JsonObject> {
    return getObject(this.#parts, target, options);
  }

  list(target: Target, options: ListOptions): Promise<ObjectList> {
    return listObjects(this.#parts, target, options);
  }

  async watch(target: Target, options: WatchOptions): Promise<ApiWatch> {
    return watchObjects(this.#parts, target, options);
  }

  update(target: Target, body: RequestBody, context: RequestContext): Promise<WrittenObject> {
    return writing(context, (own) => putObject(this.#parts, { target, body }, own));
  }

  patch(target: Target, patch: PatchRequest, context: RequestContext): Promise<WrittenObject> {
    return writing(context, (own) => patchObject(this.#parts, { target, patch }, own));
  }

  delete(target: Target, options: DeleteOptions, context: RequestContext): Promise<Deleted> {
    return deleteObject(this.#parts, { target, options }, context);
  }

  deleteCollection(
    target: Target,
    options: { readonly list: ListOptions; readonly delete: DeleteOptions },
    context: RequestContext,
  ): Promise<ObjectList> {
    return deleteCollection(this.#parts, { target, options }, context);
  }
}

/** Runs a write, and calls what its steps have registered with {@link RequestContext.afterWrite} when it has ended, however it ends. */
async function writing<T>(context: RequestContext, write: (context: RequestContext) => Promise<T>): Promise<T> {
  const releases: (() => void)[] = [];
  try {
    return await write({ ...context, afterWrite: (release) => releases.push(release) });
  } finally {
    for (const release of releases) release();
  }
}

/** The tables are read when they are first needed: most servers never see a Scale or a wrong kind. */
function subjectsOf(given: { types: GoTypes | undefined; definitions: BuiltinDefinitions | undefined }): Parts['subjectOf'] {
  let types = given.types;
  const decodesOther = decoderOfOthers(() => {
    types ??= new GoTypes();
    return types;
  });
  let scale: Subject | undefined;
  const subjects = new WeakMap<ServedVersion, Map<string, Subject>>();
  return (target) => {
    if (target.subresource !== 'scale') {
      const { version } = target.served;
      const known = subjects.get(version) ?? new Map<string, Subject>();
      const subject = known.get(target.subresource) ?? objectSubject(target, decodesOther);
      subjects.set(version, known.set(target.subresource, subject));
      return subject;
    }
    types ??= new GoTypes();
    scale ??= scaleSubject({ types, definitions: given.definitions ?? builtinDefinitions(), decodesOther });
    return scale;
  };
}

const SUFFIX_CHARACTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** The server's suffix of a generateName. */
export function randomSuffix(): string {
  return Array.from({ length: 5 }, () => SUFFIX_CHARACTERS[randomInt(SUFFIX_CHARACTERS.length)]).join('');
}
