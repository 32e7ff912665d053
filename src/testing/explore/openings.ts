import type { OperatorModel } from '../../definition/index.js';
import { apiVersionOf, isRecord, type KubernetesObject, type StructuralSchema } from '../../kubernetes/index.js';
import type { Ending } from './ending.js';
import { type Change, nameOf, prefixOf } from './history.js';
import type { Mistake, Openings } from './plan.js';
import { canBreak } from './truth.js';

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
function mistakesIn({ customResources }: OperatorModel, object: KubernetesObject): Mistake[] {
  const resource = customResources.find(({ group, kind, versionList }) =>
    versionList.some(({ name }) => kind === object.kind && apiVersionOf({ group, version: name }) === object.apiVersion),
  );
  const version = resource?.versionList.find(({ name }) => object.apiVersion === apiVersionOf({ group: resource.group, version: name }));
  const { spec } = object as unknown as { readonly spec?: unknown };
  if (version === undefined || !isRecord(spec)) return [];
  const { kind = '', metadata } = object;
  return [...enumerated(spec, version.schema.properties?.['spec'], ['spec'])].map((path) => ({
    kind,
    name: `${prefixOf(metadata.namespace)}${metadata.name}`,
    path,
    value: UNKNOWN,
  }));
}

function* enumerated(value: unknown, schema: StructuralSchema | undefined, path: readonly string[]): Generator<readonly string[]> {
  if (typeof value === 'string') {
    if (schema?.enum !== undefined || CONSTANT.test(value)) yield path;
  } else if (isRecord(value)) {
    for (const [name, field] of Object.entries(value)) yield* enumerated(field, schema?.properties?.[name], [...path, name]);
  }
}
