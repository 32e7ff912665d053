import type { FieldSet } from './field-set.js';
import type { TypedValue } from './typed-value.js';

/** The fields that a manager holds, at the version it last wrote. */
export interface OwnedSet {
  readonly set: FieldSet;
  readonly apiVersion: string;
  readonly applied: boolean;
}

/** By manager. Never changed: every step makes a new one. */
export type Managers = ReadonlyMap<string, OwnedSet>;

/** The surroundings of the steps, beyond values and sets. */
export interface Versions {
  /**
   * The value at another version.
   *
   * @param failure what stands before the message when the value does not fit there
   * @returns undefined when that version is no longer served: managers of fields at it lose them.
   */
  convert(value: TypedValue, apiVersion: string, failure?: string): TypedValue | undefined;
  /** Fields that the endpoint resets on every write, so that no manager can come to own them through it. */
  resetFields(apiVersion: string): FieldSet | undefined;
}
