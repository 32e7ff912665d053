import { isRecord } from '@keelson/kubernetes/apimachinery';

/** As much of a CustomResourceDefinition as a migration reads. */
export interface CrdState {
  readonly name: string;
  readonly generation: number;
  readonly storageVersion: string;
  readonly servedVersions: readonly string[];
  /** In the CRD, but served no more. */
  readonly unservedVersions: readonly string[];
  /** Versions in which objects may be stored, as the API server keeps them. */
  readonly storedVersions: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
}

/** @returns `undefined` for what is not a CustomResourceDefinition with a storage version */
export function crdStateOf(object: unknown): CrdState | undefined {
  if (!isRecord(object) || !isRecord(object['metadata']) || !isRecord(object['spec'])) return undefined;
  const { name, generation, annotations } = object['metadata'];
  const versions = versionsOf(object['spec']['versions']);
  const storage = versions.find((version) => version.storage);
  if (typeof name !== 'string' || storage === undefined) return undefined;
  const status = isRecord(object['status']) ? object['status'] : {};
  return {
    name,
    generation: typeof generation === 'number' ? generation : 0,
    storageVersion: storage.name,
    servedVersions: versions.filter(({ served }) => served).map((version) => version.name),
    unservedVersions: versions.filter(({ served }) => !served).map((version) => version.name),
    storedVersions: texts(status['storedVersions']),
    annotations: Object.fromEntries(
      Object.entries(isRecord(annotations) ? annotations : {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
  };
}

interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
}

function versionsOf(versions: unknown): Version[] {
  return (Array.isArray(versions) ? (versions as unknown[]) : []).flatMap((version) => {
    if (!isRecord(version) || typeof version['name'] !== 'string') return [];
    return [{ name: version['name'], served: version['served'] === true, storage: version['storage'] === true }];
  });
}

function texts(list: unknown): string[] {
  return (Array.isArray(list) ? (list as unknown[]) : []).filter((item): item is string => typeof item === 'string');
}
