import { semanticEqual } from './semantic-equal.js';

interface WithGeneration {
  metadata: { readonly generation?: number | undefined };
}

/** The first generation of a new object. */
export function beginGenerations(object: WithGeneration): void {
  setGeneration(object, 1);
}

/** One more than the object had. */
export function countGeneration(object: WithGeneration, old: WithGeneration): void {
  setGeneration(object, (old.metadata.generation ?? 0) + 1);
}

/** What clients wish is a generation of its own. */
export function countChangedSpec(object: WithGeneration & { spec?: unknown }, old: WithGeneration & { spec?: unknown }): void {
  if (!semanticEqual(object.spec, old.spec)) countGeneration(object, old);
}

function setGeneration({ metadata }: WithGeneration, generation: number): void {
  (metadata as { generation?: number }).generation = generation;
}

/** An update of the object leaves its status as it was. */
export function keepStatus<T extends { status?: unknown }>(object: T, old: T): void {
  if (old.status === undefined) delete object.status;
  else object.status = structuredClone(old.status);
}

/** An update of the status leaves the rest. */
export function keepSpec<T extends { spec?: unknown }>(object: T, old: T): void {
  if (old.spec === undefined) delete object.spec;
  else object.spec = structuredClone(old.spec);
}
