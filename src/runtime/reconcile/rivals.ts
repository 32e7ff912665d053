import type { KindInfo, ObjectKey } from '@keelson/kubernetes/apimachinery';
import type { ControllerModel, OperatorModel } from 'keelson/internal/definition';

/** The operator's other controllers for the kind of a controller. */
export interface Rivals {
  readonly controllers: readonly ControllerModel[];
  /** Puts an object to work for one of them. */
  readonly enqueue: (controller: string, key: ObjectKey) => void;
}

/** A running controller, as far as others put objects to work for it. */
export interface Enqueueing {
  readonly name: string;
  enqueue(key: ObjectKey): void;
}

/** @param running all that run in this process; asked when something is enqueued, as they are made one after the other */
export function rivalsOf(
  controller: ControllerModel,
  { controllers }: Pick<OperatorModel, 'controllers'>,
  running: () => readonly Enqueueing[],
): Rivals {
  return {
    controllers: controllers.filter((other) => other.name !== controller.name && isSameKind(other.for, controller.for)),
    enqueue: (name, key) =>
      running()
        .find((runner) => runner.name === name)
        ?.enqueue(key),
  };
}

function isSameKind(one: KindInfo, other: KindInfo): boolean {
  return one.group === other.group && one.kind === other.kind;
}
