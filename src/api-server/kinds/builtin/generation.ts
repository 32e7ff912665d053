import { draftOf, type JsonObject } from '../../contract/index.js';
import type { Behaviour } from './behaviour.js';
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

/** A change of what clients wish is a generation of its own. */
export function countChangedSpec(object: WithGeneration & { spec?: unknown }, old: WithGeneration & { spec?: unknown }): void {
  if (!semanticEqual(object.spec, old.spec)) countGeneration(object, old);
}

function setGeneration({ metadata }: WithGeneration, generation: number): void {
  (metadata as { generation?: number }).generation = generation;
}

/** An update of the object leaves its status as it was. */
export function keepStatus<T extends { status?: unknown }>(object: T, old: T): void {
  if (old.status === undefined) delete object.status;
  else object.status = draftOf(old.status as JsonObject) as T['status'];
}

/** An update of the status leaves the rest. */
export function keepSpec<T extends { spec?: unknown }>(object: T, old: T): void {
  if (old.spec === undefined) delete object.spec;
  else object.spec = draftOf(old.spec as JsonObject) as T['spec'];
}

interface LifeCycle<T> {
  /** The status of a new object, whatever its client wrote. */
  readonly newStatus: () => object;
  /** Drops fields of features that are switched off; `old` is `undefined` for a new object. */
  readonly drop?: (object: T, old: T | undefined) => void;
  /** The part whose changes are generations. @defaultValue the spec */
  readonly content?: (object: T) => unknown;
}

/** Clients write the spec and controllers the status: an update of one keeps the other, and each change of the content is a generation. */
export function withStatus<T extends WithGeneration & { spec?: unknown; status?: unknown }>({
  newStatus,
  drop,
  content = ({ spec }) => spec,
}: LifeCycle<T>): Required<Pick<Behaviour<T>, 'prepareForCreate' | 'prepareForStatusUpdate' | 'prepareForUpdate'>> {
  return {
    prepareForCreate(object) {
      object.status = newStatus();
      beginGenerations(object);
      drop?.(object, undefined);
    },
    prepareForUpdate(object, old) {
      keepStatus(object, old);
      drop?.(object, old);
      if (!semanticEqual(content(object), content(old))) countGeneration(object, old);
    },
    prepareForStatusUpdate: keepSpec,
  };
}
