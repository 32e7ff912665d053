import type { KindInfo, ObjectMeta } from '../../../src/kubernetes/apimachinery/index.js';
import { ConflictError, ExpiredError, InternalError, InvalidError, NotFoundError } from '../../../src/runtime/client/index.js';
import type { StoredVersionMigrationOptions } from '../../../src/runtime/migration/index.js';
import { refusal } from '../events/event-store.js';
import { CRD_NAME } from './releases.js';

export const refused = {
  conflict: () => new ConflictError(refusal(409, 'Conflict', 'it has changed')),
  invalid: () => new InvalidError(refusal(422, 'Invalid', 'it is not valid')),
  notFound: () => new NotFoundError(refusal(404, 'NotFound', 'it is not there')),
  expired: () => new ExpiredError(refusal(410, 'Expired', 'the pages are too old')),
  internal: () => new InternalError(refusal(500, 'InternalError', 'etcd is down')),
} as const;

interface Crd {
  readonly metadata: { readonly name: string; readonly generation: number; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: { readonly versions: readonly { readonly name: string; readonly served: boolean; readonly storage: boolean }[] };
  readonly status: { readonly storedVersions: readonly string[] };
}

/** As much of an API server as a migration needs, with its answers as the test writes them. */
export class ScriptedServer {
  crd: Crd | Error = {
    metadata: { name: CRD_NAME, generation: 3 },
    spec: {
      versions: [
        { name: 'v1', served: true, storage: true },
        { name: 'v1alpha1', served: true, storage: false },
      ],
    },
    status: { storedVersions: ['v1alpha1', 'v1'] },
  };
  /** Of each list, one after the other: its pages, and what ends it before the last one. The last list is given again. */
  lists: (readonly (readonly ObjectMeta[] | Error)[])[] = [[]];
  /** What writing an object brings, by its name; once for each. */
  readonly refusals = new Map<string, Error[]>();
  /** Objects as they are read again, by name. */
  readonly newest = new Map<string, ObjectMeta | Error>();
  readonly written: string[] = [];
  readonly read: string[] = [];
  readonly kinds = new Set<string>();
  /** The annotation of progress, each time it is kept. */
  readonly kept: unknown[] = [];
  readonly statusPatches: unknown[] = [];
  readonly bodies: unknown[] = [];
  readonly limits: unknown[] = [];
  underway = 0;
  mostUnderway = 0;

  readonly client = {
    get: async (kind: KindInfo, key: { readonly name: string }) => {
      const found = kind.kind === 'CustomResourceDefinition' ? this.crd : this.newest.get(key.name);
      if (kind.kind !== 'CustomResourceDefinition') this.read.push(key.name);
      if (found instanceof Error) throw found;
      return kind.kind === 'CustomResourceDefinition' ? found : { metadata: found };
    },
    patch: async (kind: KindInfo, key: { readonly name: string; readonly namespace?: string }, patch: { readonly body: object }) => {
      if (kind.kind === 'CustomResourceDefinition') {
        const { annotations } = (patch.body as { metadata: { annotations: Record<string, string | null> } }).metadata;
        this.kept.push(...Object.values(annotations).map((text) => (text === null ? null : (JSON.parse(text) as unknown))));
        return;
      }
      this.kinds.add(kind.version);
      this.bodies.push(patch);
      this.underway += 1;
      this.mostUnderway = Math.max(this.mostUnderway, this.underway);
      await new Promise((resolve) => setImmediate(resolve));
      this.underway -= 1;
      this.written.push(key.namespace === undefined ? key.name : `${key.namespace}/${key.name}`);
      const error = this.refusals.get(key.name)?.shift();
      if (error !== undefined) throw error;
    },
    pages: (kind: KindInfo, { limit }: { readonly limit: number }) => {
      this.kinds.add(kind.version);
      this.limits.push(limit);
      return pagesOf((this.lists.length > 1 ? this.lists.shift() : this.lists[0]) ?? []);
    },
    status: () => ({
      patch: async (_: unknown, patch: { readonly body: unknown }) => {
        this.statusPatches.push(patch.body);
      },
    }),
  } as unknown as StoredVersionMigrationOptions['client'];
}

async function* pagesOf(pages: readonly (readonly ObjectMeta[] | Error)[]): AsyncGenerator<unknown> {
  for (const page of pages) {
    if (page instanceof Error) throw page;
    yield { items: page.map((metadata) => ({ metadata })) };
  }
}
