import type { ControllerModel, CustomResourceModel } from '../../definition/index.js';
import type { StructuralSchema } from '../../kubernetes/index.js';

/** The fields of a status that the framework keeps, as the kind's schema has them. */
export interface StatusForm {
  readonly hasConditions: boolean;
  readonly hasObservedGeneration: boolean;
}

/** For kinds that are not custom resources of the operator the form is unknown: only the reconciler's own fields are written. */
export function statusFormOf({ for: kind }: ControllerModel): StatusForm {
  const model = 'customResource' in kind ? (kind.customResource as CustomResourceModel) : undefined;
  const version = model?.versionList.find(({ name }) => name === kind.version);
  const properties = propertiesOf(propertiesOf(version?.schema)?.['status']);
  return {
    hasConditions: properties?.['conditions'] !== undefined,
    hasObservedGeneration: properties?.['observedGeneration'] !== undefined,
  };
}

function propertiesOf(schema: StructuralSchema | undefined): Readonly<Record<string, StructuralSchema>> | undefined {
  return schema?.properties;
}
