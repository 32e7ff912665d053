import { OperatorError } from '@keelson/kubernetes/apimachinery';

/** One step of a path. */
export type PathNode =
  | { readonly node: 'field'; readonly name: string }
  | { readonly node: 'wildcard' }
  | { readonly node: 'recursive' }
  | { readonly node: 'slice'; readonly from?: number; readonly to?: SliceEnd; readonly step?: number }
  | { readonly node: 'union'; readonly paths: readonly (readonly PathNode[])[] }
  | { readonly node: 'filter'; readonly left: readonly PathNode[]; readonly operator: string; readonly right: readonly PathNode[] }
  | { readonly node: 'literal'; readonly value: string | number | boolean };

/** `[2]` is `[2:3]`; of `[-1]` the derived end 0 means the end of the list. */
export interface SliceEnd {
  readonly index: number;
  readonly isDerived: boolean;
}

/** The path cannot be read, or does not fit the value. */
export class JsonPathError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_JSON_PATH';

  static isJsonPathError(value: unknown): value is JsonPathError {
    return OperatorError.isOperatorError(value) && value.code === 'KEELSON_JSON_PATH';
  }
}
