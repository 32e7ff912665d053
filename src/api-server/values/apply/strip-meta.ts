import { FieldSet } from './field-set.js';
import type { Managers } from './managers.js';
import { fieldPath } from './path-element.js';

/** Fields without an owner: the server itself writes them, or they name the object. Source: apimachinery, `pkg/util/managedfields/internal/stripmeta.go`. */
const STRIPPED = FieldSet.of(
  fieldPath('apiVersion'),
  fieldPath('kind'),
  fieldPath('metadata'),
  ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation', 'managedFields', 'resourceVersion'].map(
    (name) => fieldPath('metadata', name),
  ),
);

/** Takes them from the entry of the one who writes. */
export function stripMeta(managers: Managers, manager: string): Managers {
  const owned = managers.get(manager);
  if (owned === undefined) return managers;
  const stripped = new Map(managers);
  const set = owned.set.difference(STRIPPED);
  if (set.isEmpty) stripped.delete(manager);
  else stripped.set(manager, { ...owned, set });
  return stripped;
}
