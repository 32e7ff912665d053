import { compareUtf8, goQuote, isKnownFormat } from '@keelson/kubernetes/apimachinery';
import type { Definition } from './definition.js';
import { internalForm } from './internal-form.js';

type Node = Readonly<Record<string, unknown>>;

/** Warnings about the schemas of a definition that an update has not had before. Source: apiextensions-apiserver `pkg/registry/customresourcedefinition/strategy.go`. */
export function schemaWarnings(definition: Definition, old?: Definition): readonly string[] {
  const [nodes, before] = [nodesOf(definition), old === undefined ? [] : nodesOf(old)];
  return [...newOf(nodes.flatMap(unknownFormat), before.flatMap(unknownFormat)), ...newOf(sortedOf(nodes), sortedOf(before))];
}

function newOf(warnings: readonly string[], known: readonly string[]): readonly string[] {
  return warnings.filter((warning) => !known.includes(warning));
}

/** All nodes of the schemas, in their order. */
function nodesOf({ spec }: Definition): readonly Node[] {
  const { top, versions } = internalForm(spec);
  return [top, ...versions].flatMap(({ validation }) => nodesIn(validation?.openAPIV3Schema));
}

function nodesIn(value: unknown): readonly Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (typeof value !== 'object' || value === null) return [];
  const node = value as Node;
  const { items, allOf, anyOf, oneOf, not, additionalProperties } = node;
  const properties = Object.values((node['properties'] as Node | undefined) ?? {});
  return [node, ...[items, allOf, anyOf, oneOf, not, ...properties, additionalProperties].flatMap(nodesIn)];
}

const NUMBER_FORMATS: Readonly<Record<string, readonly string[]>> = { integer: ['int32', 'int64'], number: ['float', 'double'] };

/** A format that the server does not look at. */
function unknownFormat({ type = '', format }: Node): readonly string[] {
  if (typeof format !== 'string' || format === '') return [];
  const isKnown = type === '' || type === 'string' ? isKnownFormat(format) : (NUMBER_FORMATS[String(type)] ?? []).includes(format);
  return isKnown ? [] : [`unrecognized format ${goQuote(format)}`];
}

/** Sets of what has no identity, each once. */
function sortedOf(nodes: readonly Node[]): readonly string[] {
  const warnings = nodes.flatMap(({ 'x-kubernetes-list-type': listType, items }) => {
    const type = listType === 'set' && typeof items === 'object' && items !== null ? (items as Node)['type'] : undefined;
    if (type !== 'object' && type !== 'array') return [];
    return [`x-kubernetes-list-type: set for items of type ${goQuote(type)} is not supported by server-side apply or CEL validation rules`];
  });
  return [...new Set(warnings)].sort(compareUtf8);
}
