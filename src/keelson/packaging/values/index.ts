/** The values that an installation may set, read from a zod schema. Way in: {@link valueModelOf}. */
export type { DefaultsOf } from './defaults-of.js';
export type { JsonSchema, LeafType, ValueLeaf } from './value-leaf.js';
export { joinedValues, treeOf, type ValueModel, type ValueTree, valueModelOf } from './value-leaves.js';
