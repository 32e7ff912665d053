import { type CustomResourceModel, customResourceDefinitionManifest, defineCustomResource, k } from 'keelson';
import { CustomResourceDefinition } from 'keelson/kinds';
import { z } from 'zod';
import { type KindInfo, messageOf } from '../../../src/kubernetes/apimachinery/index.js';
import { type ApiClient, isNotFound } from '../../../src/runtime/client/index.js';
import { systemClock } from '../../../src/runtime/clock/index.js';
import { StoredVersionMigration } from '../../../src/runtime/migration/index.js';
import { eventually } from '../../eventually.js';
import { MemoryLog } from '../harness/running-controller.js';

const schema = { spec: z.object({ size: k.int32().default(1) }) };
const names = { group: 'migration.keelson.example', kind: 'Valve' } as const;

/** One custom resource in the releases of its life. */
export const RELEASES = {
  alpha: defineCustomResource({ ...names, versions: { v1alpha1: { ...schema } } }),
  both: defineCustomResource({ ...names, versions: { v1: { ...schema, storage: true }, v1alpha1: { ...schema } } }),
  unserved: defineCustomResource({ ...names, versions: { v1: { ...schema, storage: true }, v1alpha1: { ...schema, served: false } } }),
  dropped: defineCustomResource({ ...names, versions: { v1: { ...schema } } }),
} as const;
export type Release = keyof typeof RELEASES;

export const CRD_NAME = 'valves.migration.keelson.example';

export function modelOf(release: Release): CustomResourceModel {
  return RELEASES[release] as unknown as CustomResourceModel;
}

/** The release's CRD, as an administrator applies it. @throws what the API server says against it */
export async function install(client: ApiClient, release: Release): Promise<void> {
  const manifest = customResourceDefinitionManifest(modelOf(release)) as { readonly metadata: object };
  await client.apply(CustomResourceDefinition, manifest as never, { fieldManager: 'admin', force: true });
  await served(client, release);
}

export function kindOf(release: Release): KindInfo {
  const { group, kind, plural, scope, storageVersion } = modelOf(release);
  return { group, version: storageVersion, kind, plural, scope, subresources: [] };
}

/** A moment after the definition has changed, the server reads by the old one: it does not know the version, or not yet again what objects are stored as. */
async function served(client: ApiClient, release: Release): Promise<void> {
  const kind = kindOf(release);
  const isOld = (error: unknown): boolean =>
    isNotFound(error) || (modelOf(release).versionList.length > 1 && messageOf(error).includes('invalid group/version'));
  await eventually(() => client.list(kind, { limit: 1 } as never), `${kind.version} is served`, isOld);
}

export async function fill(client: ApiClient, release: Release, count: number): Promise<void> {
  const kind = kindOf(release);
  const waiting = Array.from({ length: count }, (_, index) => `valve-${index}`);
  const work = async (): Promise<void> => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop())
      await client.create(kind, { metadata: { name, namespace: 'default' }, spec: { size: 2 } } as never, { fieldManager: 'admin' });
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

export async function storedVersions(client: ApiClient): Promise<readonly string[] | undefined> {
  return (await client.get(CustomResourceDefinition, { name: CRD_NAME })).status?.storedVersions;
}

export interface Life {
  readonly writes: number;
  /** It came to its end, and was not killed. */
  readonly hasEnded: boolean;
}

/** A process that migrates, and is killed after so many writes of objects. */
export async function live(client: ApiClient, release: Release, killAfter: number, pageSize: number): Promise<Life> {
  const killed = new AbortController();
  let writes = 0;
  const counting = new Proxy(client, {
    get(target, property) {
      const found: unknown = Reflect.get(target, property, target);
      if (typeof found !== 'function') return found;
      return (...given: unknown[]): unknown => {
        if (property === 'patch' && (given[0] as KindInfo).kind === names.kind) {
          writes += 1;
          if (writes > killAfter) killed.abort(new Error('killed'));
        }
        return Reflect.apply(found, target, given) as unknown;
      };
    },
  });
  const migration = new StoredVersionMigration({
    client: counting,
    clock: systemClock,
    log: new MemoryLog(),
    random: () => 0,
    resource: modelOf(release),
    settleMs: 0,
    pageSize,
  });
  await migration.run(killed.signal);
  return { writes, hasEnded: !killed.signal.aborted };
}
