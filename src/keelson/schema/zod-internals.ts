/**
 * The little of zod's internals that the converter reads, typed by ourselves.
 *
 * No zod class stands in a parameter type of keelson: two zod versions in one program would make the type checker compare their class trees, for minutes (or until it gives up).
 */

/** Any zod 4 schema, also one made by another copy or version of zod. */
export interface ZodLike {
  readonly _zod: { readonly def: unknown; readonly output: unknown; readonly input: unknown };
}

/** Members that `_zod.def` of the supported schema types may have; which are there depends on `type`. */
export interface ZodDef {
  readonly type: string;
  readonly checks?: readonly ZodCheckLike[];
  /** String and number formats are checks themselves. */
  readonly check?: string;
  readonly format?: string;
  readonly pattern?: RegExp;
  readonly coerce?: boolean;
  readonly innerType?: ZodNode;
  readonly defaultValue?: unknown;
  readonly shape?: Readonly<Record<string, ZodNode>>;
  readonly catchall?: ZodNode;
  readonly element?: ZodNode;
  readonly keyType?: ZodNode;
  readonly valueType?: ZodNode;
  readonly mode?: string;
  readonly partial?: boolean;
  readonly options?: readonly ZodNode[];
  readonly discriminator?: string;
  readonly inclusive?: boolean;
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly values?: readonly unknown[];
  readonly version?: string;
  readonly fn?: unknown;
  readonly offset?: boolean;
  readonly local?: boolean;
  readonly precision?: number | null;
  readonly delimiter?: string;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly includes?: string;
  readonly position?: number;
}

export interface ZodCheckLike {
  readonly _zod: { readonly def: ZodCheckDef };
}

export interface ZodCheckDef {
  readonly check: string;
  readonly value?: number | bigint | Date;
  readonly inclusive?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly length?: number;
  readonly format?: string;
  readonly pattern?: RegExp;
  readonly position?: number;
  readonly keelson?: unknown;
}

export interface ZodNode {
  readonly _zod: {
    readonly def: ZodDef;
    readonly version: { readonly major: number; readonly minor: number; readonly patch: number };
    readonly pattern?: RegExp;
    readonly values?: ReadonlySet<unknown>;
    readonly parent?: ZodNode;
  };
}

export interface ZodMetadata {
  readonly description?: unknown;
  readonly title?: unknown;
  readonly example?: unknown;
  readonly externalDocs?: unknown;
}

const OLDEST_MINOR = 3;

/** Why `value` cannot be read as a zod schema; `undefined` when it can. */
export function unreadable(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null)
    return `${value === null ? 'null' : typeof value} is not a zod schema; write one, for example z.string()`;
  if (!('_zod' in value)) {
    return '_def' in value
      ? "a zod 3 schema (or one of 'zod/v3'); keelson reads zod 4: install zod ^4.3.0 and import from 'zod'"
      : 'a plain object is not a zod schema; wrap it: z.object({ ... })';
  }
  const { major, minor, patch } = (value as ZodNode)._zod.version ?? { major: 4, minor: 0, patch: 0 };
  if (major === 4 && minor >= OLDEST_MINOR) return undefined;
  return `a schema of zod ${major}.${minor}.${patch}, which loses descriptions and rules in chains; install zod ^4.3.0`;
}

/** Description, title … of one layer of a schema. zod keeps them in a registry that all its copies share. */
export function metadataOf(node: ZodNode): ZodMetadata {
  const { __zod_globalRegistry: registry } = globalThis as { __zod_globalRegistry?: { get(schema: ZodNode): ZodMetadata | undefined } };
  return registry?.get(node) ?? {};
}

/** A getter of a recursive `z.object` may be read more than once: zod caches the shape, so its identity shows whether two nodes are the same object. */
export function shapeOf(node: ZodNode): Readonly<Record<string, ZodNode>> {
  return node._zod.def.shape ?? {};
}
