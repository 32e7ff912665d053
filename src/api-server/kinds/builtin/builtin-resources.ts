import type { Resource, ServerFeature } from '../../contract/index.js';
import { builtinDefinitions, tableOf } from '../../documents/index.js';
import { builtinTypes, GoTypes } from '../../values/index.js';
import { mutatingBindingConversion, mutatingPolicyConversion } from './admissionregistration/index.js';
import { autoscalerConversion } from './autoscaling/index.js';
import type { Behaviour, Surroundings } from './behaviour.js';
import { behaviours } from './behaviours.js';
import { type BuiltinHandlers, builtinResource, type Ingredients } from './builtin-resource.js';
import { eventConversion } from './core/index.js';
import { type KindRow, servedKinds } from './served-kinds.js';
import type { VersionConversion } from './version-conversion.js';

export interface BuiltinResourcesOptions {
  /** Default: none, what is not a read or write of a stored object answers 501. */
  readonly handlers?: BuiltinHandlers;
  /** Default: a new table, read type by type. */
  readonly types?: GoTypes;
  /** Default: none. */
  readonly features?: readonly ServerFeature[];
}

/** By group and plural, as the behaviours. A kind of several versions that is missing here is served at its stored version; the others answer 501. */
const versionConversions: Readonly<Record<string, VersionConversion>> = {
  'admissionregistration.k8s.io/mutatingadmissionpolicies': mutatingPolicyConversion,
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings': mutatingBindingConversion,
  'autoscaling/horizontalpodautoscalers': autoscalerConversion,
  'events.k8s.io/events': eventConversion,
};

/** All resources that a kube-apiserver serves by default, and those of the features, in the order of discovery. */
export function builtinResources(
  surroundings: Surroundings,
  { handlers = {}, types = new GoTypes(), features = [] }: BuiltinResourcesOptions = {},
): Resource[] {
  const definitions = builtinDefinitions();
  const made = new Map<string, Behaviour<object>>();
  const ingredients: Ingredients = {
    types,
    definitions,
    typeOf: builtinTypes(definitions),
    handlers,
    behaviourOf(row) {
      const key = keyOf(row);
      const behaviour = made.get(key) ?? behaviours[key]?.(surroundings) ?? {};
      made.set(key, behaviour);
      return behaviour;
    },
    conversionOf: (row) => versionConversions[keyOf(row)],
    tableOf: ({ group, kind }) => tableOf(group, kind),
  };
  return servedKinds(features).map((row) => builtinResource(row, ingredients));
}

function keyOf({ group, plural }: KindRow): string {
  return `${group}/${plural}`;
}
