import type { JsonObject, TableConvertor } from '../../contract/index.js';
import { type Named, table } from './table.js';

/** A CustomResourceDefinition, as far as it is shown. */
interface Definition extends Named {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly shortNames?: readonly string[] };
    readonly versions: readonly { readonly name: string; readonly served: boolean; readonly storage: boolean }[];
  };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Source: apiextensions-apiserver `pkg/registry/customresourcedefinition/tableconvertor`. */
export const customResourceDefinitions: TableConvertor = table<Definition & JsonObject>(
  ['Name', 'Scope', 'Versions', 'Created At:date', 'Group*', 'Kind*', 'ShortNames*', 'Established:boolean*'],
  ({ metadata, spec, status }) => [
    metadata.name,
    spec.scope,
    spec.versions
      .filter(({ served }) => served)
      .map(({ name, storage }) => (storage ? `${name}(storage)` : name))
      .sort()
      .join(','),
    metadata.creationTimestamp ?? '0001-01-01T00:00:00Z',
    spec.group,
    spec.names.kind,
    (spec.names.shortNames ?? []).join(','),
    (status?.conditions ?? []).some((condition) => condition.type === 'Established' && condition.status === 'True'),
  ],
);
