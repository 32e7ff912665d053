import type { KindInfo, StructuralSchema } from '@keelson/kubernetes/apimachinery';
import type { ControllerModel, CustomResourceModel } from 'keelson/internal/definition';
import { KSTATUS, type Share } from './share.js';

/** The fields of a status that the framework keeps, as the kind's schema has them. */
export interface StatusForm {
  readonly hasConditions: boolean;
  readonly hasObservedGeneration: boolean;
  /** Whether the status says which demand for a run was handled last. @defaultValue false */
  readonly hasLastHandled?: boolean | undefined;
  /** The condition that says how runs end; `undefined`: none does. */
  readonly summary: string | undefined;
  /** Summaries of other controllers without which `Ready` is not `True`. @defaultValue none */
  readonly needed?: readonly string[] | undefined;
}

/**
 * For kinds that are not custom resources of the operator the form is unknown: only the reconciler's own fields are written, and the summary of a share, which
 * the author has named.
 */
export function statusFormOf({ for: kind, statusShare }: ControllerModel, share: Share): StatusForm {
  const { summary, needed } = share;
  const properties = propertiesOf(statusSchemaOf(kind));
  return {
    hasConditions: summary !== undefined && (statusShare !== undefined || properties?.['conditions'] !== undefined),
    hasObservedGeneration: summary === KSTATUS.ready && properties?.['observedGeneration'] !== undefined,
    hasLastHandled:
      properties?.['lastHandledReconcile']?.type === 'string' && share.strayIn({ lastHandledReconcile: '' }, []) === undefined,
    summary,
    needed,
  };
}

/** The schema of a kind's status; `undefined` for kinds that are not custom resources of the operator. */
export function statusSchemaOf(kind: KindInfo): StructuralSchema | undefined {
  const model = 'customResource' in kind ? (kind.customResource as CustomResourceModel) : undefined;
  return propertiesOf(model?.versionList.find(({ name }) => name === kind.version)?.schema)?.['status'];
}

function propertiesOf(schema: StructuralSchema | undefined): Readonly<Record<string, StructuralSchema>> | undefined {
  return schema?.properties;
}
