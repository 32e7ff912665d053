import { equalJson } from '@keelson/kubernetes/apimachinery';
import {
  type Columns,
  type DefinitionSpec,
  type DefinitionVersion,
  type SelectableFields,
  type Subresources,
  versionsOf,
} from './definition.js';

type Validation = DefinitionVersion['schema'];

/** The fields that the server's internal type has either for the whole definition or for each version. */
export interface Shared {
  readonly validation: Validation;
  readonly subresources: Subresources | undefined;
  readonly columns: Columns;
  readonly selectableFields: SelectableFields;
}

/**
 * A spec in the form that the server validates: what all versions have alike (of a single version: everything) stands once at the top, and errors name it there.
 *
 * Source: apiextensions-apiserver, `pkg/apis/apiextensions/v1/conversion.go`.
 */
export interface InternalForm {
  readonly top: Shared;
  readonly versions: readonly InternalVersion[];
}

export interface InternalVersion extends Shared {
  readonly version: DefinitionVersion;
}

const NOTHING: Shared = { validation: undefined, subresources: undefined, columns: [], selectableFields: [] };

export function internalForm(spec: DefinitionSpec): InternalForm {
  const versions = versionsOf(spec).map(
    (version): InternalVersion => ({
      version,
      validation: version.schema ?? undefined,
      subresources: version.subresources ?? undefined,
      columns: version.additionalPrinterColumns ?? [],
      selectableFields: version.selectableFields ?? [],
    }),
  );
  const [first] = versions;
  if (first === undefined) return { top: NOTHING, versions };
  const isShared = (key: keyof Shared) => versions.every((version) => equalJson(version[key], first[key]));
  const shared = {
    ...(isShared('validation') && { validation: first.validation }),
    ...(isShared('subresources') && { subresources: first.subresources }),
    ...(isShared('columns') && { columns: first.columns }),
    ...(isShared('selectableFields') && { selectableFields: first.selectableFields }),
  };
  const cleared: Partial<Shared> = Object.fromEntries(Object.keys(shared).map((key) => [key, NOTHING[key as keyof Shared]]));
  return { top: { ...NOTHING, ...shared }, versions: versions.map((version) => ({ ...version, ...cleared })) };
}
