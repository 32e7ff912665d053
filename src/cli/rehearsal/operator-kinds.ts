import type { KindInfo } from '@keelson/kubernetes/apimachinery';
import type { ControllerModel, OperatorModel } from 'keelson/internal/definition';

/** Every kind that controllers of the operator read, each once, at the version that is named first. */
export function readKinds({ controllers }: OperatorModel): readonly KindInfo[] {
  return once(controllers.flatMap((controller) => [controller.for, ...handlesOf(controller).map(({ kind }) => kind)]));
}

/** The kinds without which a controller does not begin. */
export function requiredKinds({ controllers }: OperatorModel): readonly KindInfo[] {
  return once(
    controllers.flatMap((controller) => [
      controller.for,
      ...handlesOf(controller).flatMap(({ kind, optional }) => (optional === true ? [] : [kind])),
    ]),
  );
}

const handlesOf = ({ owns, watches, reads }: ControllerModel) => [
  ...Object.values(owns),
  ...Object.values(watches),
  ...Object.values(reads),
];

const once = (kinds: readonly KindInfo[]): readonly KindInfo[] =>
  [...new Map(kinds.toReversed().map((kind) => [`${kind.group}/${kind.plural}`, kind])).values()].toReversed();
