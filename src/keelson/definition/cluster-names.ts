import type { ControllerModel, OperatorModel } from './model.js';

/** The names that a controller leaves on objects of the cluster, and those that it has left in releases before. */
export interface ClusterNames {
  /** The field manager of all its writes, which is also the name in the marks of its children. */
  readonly fieldManager: string;
  /** Those of releases before, under which marks and annotations stand too. */
  readonly formerManagers: readonly string[];
  readonly finalizer: string | undefined;
  readonly formerFinalizers: readonly string[];
}

/** The only place that makes these names. */
export function clusterNamesOf(
  { name: operator, formerNames: formerOperators = [] }: Pick<OperatorModel, 'name' | 'formerNames'>,
  {
    name,
    formerNames = [],
    finalizer,
    formerFinalizers = [],
  }: Pick<ControllerModel, 'name' | 'formerNames' | 'finalizer' | 'formerFinalizers'>,
): ClusterNames {
  const [fieldManager = '', ...formerManagers] = [operator, ...formerOperators].flatMap((one) =>
    [name, ...formerNames].map((other) => `${one}/${other}`),
  );
  return { fieldManager, formerManagers, finalizer, formerFinalizers };
}
