import { type ControllerModel, type InstanceSelector, selectedBy } from 'keelson/internal/definition';
import { matcherOf, type StoredObject } from '../cache/index.js';

/** Whether an object of the kind of a controller is one of those that this installation works on: as the cache has it, which holds no others. */
export function mineOf(
  controller: Pick<ControllerModel, 'for' | 'select'>,
  instance: InstanceSelector,
  served: () => readonly string[] | undefined,
): (object: StoredObject) => boolean {
  const selects = matcherOf({ kind: controller.for, select: selectedBy(controller, instance) });
  const isServed = ({ metadata: { namespace } }: StoredObject): boolean =>
    namespace === undefined || served()?.includes(namespace) !== false;
  return (object) => selects(object) && isServed(object);
}
