import type { CustomResourceModel, OperatorModel, RuntimeSettings } from 'keelson/internal/definition';
import { StoredVersionMigration, type StoredVersionMigrationOptions } from '../migration/index.js';
import type { LeaderWork } from './leader-work.js';

type Shared = Omit<StoredVersionMigrationOptions, 'resource'>;

/** One migration for each CRD that the settings name. Names that the operator does not define are logged: nothing would be done for them. */
export function migrationsOf(operator: OperatorModel, { storedVersions = [] }: RuntimeSettings, shared: Shared): readonly LeaderWork[] {
  const byName = new Map(operator.customResources.map((resource) => [nameOf(resource), resource]));
  return storedVersions.flatMap((name) => {
    const resource = byName.get(name);
    if (resource !== undefined) return [new StoredVersionMigration({ ...shared, resource })];
    shared.log.warn('stored versions of a CRD shall be migrated that the operator does not define', {
      crd: name,
      known: [...byName.keys()],
    });
    return [];
  });
}

function nameOf({ plural, group }: CustomResourceModel): string {
  return `${plural}.${group}`;
}
