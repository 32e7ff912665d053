import type { Json } from '@keelson/kubernetes/apimachinery';
import type { JsonObject } from './draft.js';

/** `metav1.TableColumnDefinition`. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** How objects of a kind are shown in rows (`kubectl get`). */
export interface TableConvertor {
  readonly columns: readonly TableColumn[];
  /** One cell for each column. */
  cells(object: JsonObject, now: Date): readonly Json[];
  /** `conditions` of a row: a Pod that has run to its end. `undefined`: no such field. */
  conditions?(object: JsonObject): readonly JsonObject[];
  /** Order of a list's rows, where it is not that of the list (FlowSchemas). */
  compare?(left: JsonObject, right: JsonObject): number;
}
