import { DNS_1123_LABEL, type KindInfo, LABEL_KEY, obeys } from '@keelson/kubernetes/apimachinery';
import type { Problem } from '../errors.js';
import type { ControllerModel } from '../model.js';
import { shown } from '../option-shape.js';

interface Renamed {
  readonly name: string;
  readonly for: KindInfo;
  readonly formerNames?: readonly string[] | undefined;
  readonly formerFinalizers?: readonly string[] | undefined;
  readonly formerFieldManagers?: readonly string[] | undefined;
}

/** Whether a name is qualified by a domain, as the API server asks of a finalizer. */
export function isFinalizerName(name: string): boolean {
  return obeys(LABEL_KEY, name) && /^[^/]*\.[^/]*\//.test(name);
}

/** @param finalizer of the controller now; `undefined` if it has none */
export function formerOf(
  { name, for: primary, formerNames = [], formerFinalizers = [], formerFieldManagers = [] }: Renamed,
  finalizer: string | undefined,
): Pick<ControllerModel, 'formerNames' | 'formerFinalizers' | 'formerFieldManagers'> {
  const names = [...new Set(formerNames)].filter((former) => former !== name);
  // The default of a controller for a custom resource of ours.
  const derived = 'customResource' in primary ? names.map((former) => `${primary.group}/${former}`) : [];
  const finalizers = [...new Set([...formerFinalizers, ...derived])].filter((former) => former !== finalizer);
  const lists = { formerNames: names, formerFinalizers: finalizers, formerFieldManagers };
  return Object.fromEntries(
    Object.entries(lists).flatMap(([list, given]) => (given.length === 0 ? [] : [[list, Object.freeze([...given])]])),
  );
}

export function formerProblems({ name, formerNames = [], formerFinalizers = [] }: Renamed): Problem[] {
  return [
    ...formerNames.flatMap((former, index): Problem[] => {
      const path = `formerNames[${index}]`;
      if (former === name) return [{ path, message: `${shown(former)} is the name that the controller has; leave it out` }];
      return obeys(DNS_1123_LABEL, former) ? [] : [{ path, message: `${shown(former)} must be ${DNS_1123_LABEL.says}` }];
    }),
    ...formerFinalizers.flatMap((former, index): Problem[] =>
      isFinalizerName(former)
        ? []
        : [
            {
              path: `formerFinalizers[${index}]`,
              message: `${shown(former)} is not qualified by a domain; write <domain>/<name>, as metadata.finalizers has it`,
            },
          ],
    ),
  ];
}
