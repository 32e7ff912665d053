import { apiVersionOf, isRecord, type KubernetesObject, type StructuralSchema } from '@keelson/kubernetes/apimachinery';
import type { OperatorModel } from 'keelson/internal/definition';
import type { Ending } from './ending.js';
import { type Change, nameOf, prefixOf } from './history.js';
import type { Mistake, Openings } from './plan.js';
import { canBreak } from './truth.js';
import { movesOf, type ValueMove } from './values.js';

/** By the API's conventions the values of an enumeration are words in CamelCase. */
const CONSTANT = /^[A-Z][a-z]+(?:[A-Z][a-z]+)*$/;
const UNKNOWN = 'Unheardof';

/** Finds the moments and objects of a story that can be disturbed, in its undisturbed run. */
export function openingsOf(
  operator: OperatorModel,
  { history, objects }: Ending,
  { steps, histories }: Pick<Openings, 'steps' | 'histories'>,
): Openings {
  const seen = (object: KubernetesObject): number => history.changes.find(({ what }: Change) => what === nameOf(object))?.step ?? 0;
  return {
    history,
    histories,
    steps,
    mistakes: objects.flatMap((object) =>
      mistakesIn(operator, object).map((mistake) => ({ ...mistake, after: Math.max(0, seen(object)) })),
    ),
    values: objects
      .filter(({ metadata }) => history.lives.get(metadata.uid ?? '')?.by === 'user')
      .flatMap((object) => valuesIn(operator, object).map((move) => ({ ...move, after: Math.max(0, seen(object)) }))),
    breakable: objects
      .filter(({ kind = '', metadata }) => canBreak(kind) && history.lives.get(metadata.uid ?? '')?.by === 'operator')
      .map((object) => ({
        kind: object.kind ?? '',
        name: `${prefixOf(object.metadata.namespace)}${object.metadata.name}`,
        after: Math.max(0, seen(object)),
      })),
  };
}

/** Values of enumerations in the spec, which may become others: by an older definition, or where the schema does not name them. */
function mistakesIn(operator: OperatorModel, object: KubernetesObject): Mistake[] {
  const found = specOf(operator, object);
  if (found === undefined) return [];
  const { kind = '', metadata } = object;
  return [...enumerated(found.spec, found.schema, ['spec'])].map((path) => ({
    kind,
    name: `${prefixOf(metadata.namespace)}${metadata.name}`,
    path,
    value: UNKNOWN,
  }));
}

function valuesIn(operator: OperatorModel, object: KubernetesObject): ValueMove[] {
  const found = specOf(operator, object);
  if (found === undefined) return [];
  const { kind = '', metadata } = object;
  const name = `${prefixOf(metadata.namespace)}${metadata.name}`;
  return [...movesOf(found.spec, found.schema, ['spec'])].map((move) => ({ kind, name, ...move }));
}

/** The spec of a custom resource of the operator, with its schema. */
function specOf(
  { customResources }: OperatorModel,
  object: KubernetesObject,
): { readonly spec: Readonly<Record<string, unknown>>; readonly schema: StructuralSchema | undefined } | undefined {
  const resource = customResources.find(({ group, kind, versionList }) =>
    versionList.some(({ name }) => kind === object.kind && apiVersionOf({ group, version: name }) === object.apiVersion),
  );
  const version = resource?.versionList.find(({ name }) => object.apiVersion === apiVersionOf({ group: resource.group, version: name }));
  const { spec } = object as unknown as { readonly spec?: unknown };
  if (version === undefined || !isRecord(spec)) return undefined;
  return { spec, schema: version.schema.properties?.['spec'] };
}

function* enumerated(value: unknown, schema: StructuralSchema | undefined, path: readonly string[]): Generator<readonly string[]> {
  if (typeof value === 'string') {
    if (schema?.enum !== undefined || CONSTANT.test(value)) yield path;
  } else if (isRecord(value)) {
    for (const [name, field] of Object.entries(value)) yield* enumerated(field, schema?.properties?.[name], [...path, name]);
  }
}
