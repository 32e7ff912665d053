import type { FieldError, StructuralSchema } from '../../apimachinery/index.js';
import { countBelow } from '../../cel/index.js';
import { nodeErrors } from './extensions.js';

/** One node of a schema on the way down. */
export interface VisitedNode {
  readonly schema: StructuralSchema;
  readonly path: string;
  /** The highest node above whose values have no older selves; `oldSelf` is forbidden below it. */
  readonly uncorrelated?: string | undefined;
  /** Whether the value is a whole object with metadata: rules see `self.metadata.name`. */
  readonly isResourceRoot: boolean;
  /** How many such values one object may hold; `undefined` where a list or map above has no bound. */
  readonly count: bigint | undefined;
  /** The lists and maps above, outermost first. */
  readonly containers: readonly Container[];
}

export interface Container {
  readonly path: string;
  readonly schema: StructuralSchema;
}

interface Walk extends VisitedNode {
  readonly isRoot: boolean;
  readonly insideMeta: boolean;
  readonly noDefaults?: string | undefined;
  /** Inside a junctor: errors of nodes are reported, rules are not looked at. */
  readonly inJunctor: boolean;
}

const META_FIELDS: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

export interface Visitor {
  /** Called for each node of the structure, children first, with the errors of the node and everything below. */
  visit(node: VisitedNode, errors: readonly FieldError[]): void;
}

/** Collects the errors of every node. The root is a custom resource. */
export function walkErrors(schema: StructuralSchema, path: string, visitor: Visitor): FieldError[] {
  const root: Walk = { schema, path, isRoot: true, insideMeta: false, inJunctor: false, isResourceRoot: true, count: 1n, containers: [] };
  return walk(root, visitor);
}

function walk(node: Walk, visitor: Visitor): FieldError[] {
  const errors = [
    ...nodeErrors(node.schema, node),
    ...childrenOf(node).flatMap((child) => walk(child, visitor)),
    ...junctorsOf(node).flatMap((child) => walk(child, visitor)),
  ];
  if (!node.inJunctor) visitor.visit(node, errors);
  return errors;
}

function childrenOf(node: Walk): readonly Walk[] {
  const { schema, path } = node;
  const { items, additionalProperties, properties = {} } = schema;
  const base = { ...node, isRoot: false, count: countBelow(schema, node.count) };
  const containers = [...node.containers, { path, schema }];
  const below = (child: StructuralSchema, step: string, change: Partial<Walk> = {}): Walk => ({
    ...base,
    schema: child,
    path: `${path}.${step}`,
    isResourceRoot: child['x-kubernetes-embedded-resource'] === true,
    ...change,
  });
  const noDefaults = node.insideMeta ? 'inside additionalProperties applying to object metadata' : node.noDefaults;
  const keyed = schema['x-kubernetes-list-type'] === 'map';
  return [
    ...(typeof additionalProperties === 'object' ? [below(additionalProperties, 'additionalProperties', { noDefaults, containers })] : []),
    ...Object.entries(properties).map(([key, property]) => below(property, `properties[${key}]`, metaChange(node, key))),
    ...(items === undefined ? [] : [below(items, 'items', { uncorrelated: node.uncorrelated ?? (keyed ? undefined : path), containers })]),
  ];
}

function metaChange(node: Walk, key: string): Partial<Walk> {
  const embedded = node.schema['x-kubernetes-embedded-resource'] === true;
  if (!(node.isRoot || embedded) || !META_FIELDS.has(key)) return {};
  return { insideMeta: true, ...(node.isRoot && { noDefaults: `in top-level ${key}` }) };
}

const NONE: readonly never[] = [];

function junctorsOf(node: Walk): readonly Walk[] {
  const { schema, path } = node;
  // Most nodes have none, and a CRD has thousands of nodes.
  if (schema.not === undefined && schema.allOf === undefined && schema.oneOf === undefined && schema.anyOf === undefined) return NONE;
  const nested = (child: StructuralSchema, step: string): Walk => ({
    ...node,
    isRoot: false,
    inJunctor: true,
    schema: child,
    path: `${path}.${step}`,
  });
  return [
    ...(schema.not === undefined ? [] : [nested(schema.not, 'not')]),
    ...(['allOf', 'oneOf', 'anyOf'] as const).flatMap((name) =>
      (schema[name] ?? []).map((child, index) => nested(child, `${name}[${index}]`)),
    ),
  ];
}
