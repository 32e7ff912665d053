import type { ZodLike } from '../../../../src/keelson/schema/index.js';
import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';

/** A feature of zod or of `k`. Its schema stands under `spec.<name of the case>` as an optional field. */
export interface ZodCase {
  readonly schema: ZodLike & { optional(): ZodLike; safeParse(value: unknown): { success: boolean; data?: unknown } };
  /** Taken by the API server and by zod, which agree on what is stored. */
  readonly valid?: readonly { readonly value: Json; readonly stored?: Json }[];
  /** Refused by the API server in these words (`field: message`), in any order; and by zod, unless `passesZod`: zod evaluates no CEL. */
  readonly invalid?: readonly { readonly value: Json; readonly refusals: readonly string[]; readonly passesZod?: true }[];
  /** Changes of a stored value; what is left out is absent. No refusals: the change is taken. */
  readonly updates?: readonly { readonly old?: Json; readonly value?: Json; readonly refusals: readonly string[] }[];
}

export type ZodCases = Readonly<Record<string, ZodCase>>;

/** Comes with errors that make a value unfit for CEL, when there is a rule anywhere in the schema of the whole resource. */
export const UNCHECKED =
  '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
