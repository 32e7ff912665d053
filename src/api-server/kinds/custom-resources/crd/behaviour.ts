import type { FieldError } from '@keelson/kubernetes/apimachinery';
import type { RequestContext } from '../../../contract/index.js';
import { setCondition } from './conditions.js';
import { type Definition, type DefinitionNames, type DefinitionStatus, versionsOf } from './definition.js';
import { schemaWarnings } from './schema-warnings.js';
import { definitionErrors, definitionUpdateErrors, isSameSpec, recordStorageVersion, statusErrors } from './validate-definition.js';

/** Keeps a definition until its custom resources are gone. */
export const DEFINITION_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

const MARKED = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
} as const;

/** The parts of a `Behaviour` that the kind has. */
export interface DefinitionBehaviour {
  setDefaults(object: Definition): void;
  prepareForCreate(object: Definition): void;
  validate(object: Definition): readonly FieldError[];
  warningsOnCreate(object: Definition): readonly string[];
  prepareForUpdate(object: Definition, old: Definition): void;
  validateUpdate(object: Definition, old: Definition): readonly FieldError[];
  warningsOnUpdate(object: Definition, old: Definition): readonly string[];
  prepareForStatusUpdate(object: Definition, old: Definition): void;
  validateStatusUpdate(object: Definition): readonly FieldError[];
  terminate(object: Definition, request: unknown, context: Pick<RequestContext, 'now'>): void;
  readonly allowsUnconditionalUpdate: boolean;
  readonly resetFields: Readonly<Record<string, readonly string[]>>;
}

/**
 * The behaviour of the kind CustomResourceDefinition at `apiextensions.k8s.io/v1`, as a `Behaviour` of the built-in kinds, which register it.
 *
 * Source: apiextensions-apiserver, `pkg/apis/apiextensions/v1/defaults.go`, `pkg/registry/customresourcedefinition`.
 */
export const customResourceDefinitionBehaviour: DefinitionBehaviour = {
  setDefaults(object: Definition): void {
    setNameDefaults(object.spec.names);
    object.spec.conversion ??= { strategy: 'None' };
    const service = object.spec.conversion.webhook?.clientConfig?.service;
    if (service) service.port ??= 443;
    const storage = versionsOf(object.spec).find((version) => version.storage)?.name;
    if (storage !== undefined && (object.status?.storedVersions ?? []).length === 0) {
      object.status = { ...(object.status ?? emptyStatus()), storedVersions: [storage] };
    }
  },
  prepareForCreate(object: Definition): void {
    object.status = emptyStatus();
    setGeneration(object, 1);
    recordStorageVersion(object);
  },
  validate: (object: Definition) => definitionErrors(object),
  warningsOnCreate: (object: Definition) => schemaWarnings(object),
  prepareForUpdate(object: Definition, old: Definition): void {
    object.status = structuredClone(old.status ?? emptyStatus());
    if (!isSameSpec(object, old)) setGeneration(object, (old.metadata.generation ?? 0) + 1);
    recordStorageVersion(object);
  },
  validateUpdate: (object: Definition, old: Definition) => definitionUpdateErrors(object, old),
  warningsOnUpdate: (object: Definition, old: Definition) => schemaWarnings(object, old),
  // Metadata is not kept: the server's own finalizer goes by this way.
  prepareForStatusUpdate(object: Definition, old: Definition): void {
    object.spec = structuredClone(old.spec);
  },
  validateStatusUpdate: (object: Definition) => statusErrors(object),
  allowsUnconditionalUpdate: false,
  resetFields: { '': ['status'], status: ['spec'] },
  terminate(object, _request, { now }) {
    const { finalizers = [] } = object.metadata;
    if (!finalizers.includes(DEFINITION_FINALIZER)) object.metadata.finalizers = [...finalizers, DEFINITION_FINALIZER];
    object.status ??= emptyStatus();
    setCondition(object.status, MARKED, now());
  },
};

/** As Go writes a status of which nothing is known: without conditions is null. */
function emptyStatus(): DefinitionStatus {
  const nothing = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null };
  return nothing as unknown as DefinitionStatus;
}

function setNameDefaults(names: DefinitionNames): void {
  if ((names.singular ?? '') === '' && names.kind !== '') names.singular = names.kind.toLowerCase();
  if ((names.listKind ?? '') === '' && names.kind !== '') names.listKind = `${names.kind}List`;
}

function setGeneration({ metadata }: Definition, generation: number): void {
  (metadata as { generation?: number }).generation = generation;
}
