import { equalJson, goQuote } from '@keelson/kubernetes/apimachinery';
import { conditionOf, type Definition, type DefinitionNames, isSameCondition, type NewCondition } from '../crd/index.js';

export interface NamesDecision {
  readonly names: DefinitionNames;
  readonly conditions: readonly NewCondition[];
}

/**
 * Which of its names a definition gets: those that no other in its group has yet. `undefined`: all is decided.
 *
 * Source: apiextensions-apiserver, `pkg/controller/status/naming_controller.go`.
 *
 * @param group all definitions of the group, this one among them: a name may not be used twice by itself either
 */
export function decideNames(definition: Definition, group: readonly Definition[]): NamesDecision | undefined {
  const requested = definition.spec.names;
  const accepted = definition.status?.acceptedNames ?? { plural: '', kind: '' };
  if (equalJson(requested, accepted)) return undefined;
  const { names, condition } = decide(requested, accepted, takenIn(group));
  if (equalJson(names, accepted) && isSameCondition(conditionOf(definition, 'NamesAccepted'), condition)) return undefined;
  const established = establishedCondition(definition, condition.status === 'True');
  return { names, conditions: established === undefined ? [condition] : [condition, established] };
}

interface Taken {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

function takenIn(group: readonly Definition[]): Taken {
  const names = group.flatMap(({ status }) => (status?.acceptedNames ? [status.acceptedNames] : []));
  return {
    resources: new Set(names.flatMap(({ plural, singular = '', shortNames }) => [plural, singular, ...(shortNames ?? [])])),
    kinds: new Set(names.flatMap(({ kind, listKind = '' }) => [kind, listKind])),
  };
}

/** The last conflict that is found is the one that is reported. */
function decide(requested: DefinitionNames, accepted: DefinitionNames, taken: Taken): { names: DefinitionNames; condition: NewCondition } {
  const names: DefinitionNames = { ...accepted };
  let conflict: Pick<NewCondition, 'message' | 'reason'> | undefined;
  for (const [field, used] of [
    ['plural', taken.resources],
    ['singular', taken.resources],
    ['shortNames', taken.resources],
    ['kind', taken.kinds],
    ['listKind', taken.kinds],
  ] as const) {
    const conflicts =
      field === 'shortNames' ? shortNameConflicts(requested, accepted, used) : nameConflicts(requested[field], accepted[field], used);
    if (conflicts.length > 0) {
      const [first = ''] = conflicts;
      conflict = { reason: REASONS[field], message: conflicts.length === 1 ? first : `[${conflicts.join(', ')}]` };
    } else if (field === 'shortNames') copyList(names, requested, field);
    else names[field] = requested[field] ?? '';
  }
  copyList(names, requested, 'categories');
  const condition: NewCondition =
    conflict === undefined
      ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
      : { type: 'NamesAccepted', status: 'False', ...conflict };
  return { names: inGoOrder(names), condition };
}

const REASONS = {
  plural: 'PluralConflict',
  singular: 'SingularConflict',
  shortNames: 'ShortNamesConflict',
  kind: 'KindConflict',
  listKind: 'ListKindConflict',
} as const;

function nameConflicts(requested = '', accepted = '', used: ReadonlySet<string> = new Set()): readonly string[] {
  return requested === accepted || !used.has(requested) ? [] : [`${goQuote(requested)} is already in use`];
}

function shortNameConflicts(requested: DefinitionNames, accepted: DefinitionNames, used: ReadonlySet<string>): readonly string[] {
  const own = accepted.shortNames ?? [];
  return (requested.shortNames ?? []).filter((name) => !own.includes(name)).flatMap((name) => nameConflicts(name, '', used));
}

function copyList(names: DefinitionNames, requested: DefinitionNames, field: 'categories' | 'shortNames'): void {
  const list = requested[field];
  if (list === undefined) delete names[field];
  else names[field] = list;
}

function inGoOrder({ plural, singular, shortNames, kind, listKind, categories }: DefinitionNames): DefinitionNames {
  return {
    plural,
    ...(singular === undefined || singular === '' ? {} : { singular }),
    ...(shortNames === undefined ? {} : { shortNames }),
    kind,
    ...(listKind === undefined || listKind === '' ? {} : { listKind }),
    ...(categories === undefined ? {} : { categories }),
  };
}

/** Never taken back: an established definition stays established. `undefined`: stays as it is. */
function establishedCondition(definition: Definition, accepted: boolean): NewCondition | undefined {
  const old = conditionOf(definition, 'Established');
  if (old?.status === 'True') return undefined;
  if (accepted) return { type: 'Established', status: 'False', reason: 'Installing', message: 'the initial names have been accepted' };
  return old === undefined
    ? { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' }
    : undefined;
}
