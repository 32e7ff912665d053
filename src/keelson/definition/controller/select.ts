import type { KindInfo } from '@keelson/kubernetes/apimachinery';
import { DefinitionError, type Problem } from '../errors.js';
import type { CustomResourceModel, LabelSelectorModel, SelectModel } from '../model.js';
import { isKind, mustHaveShape, nameOr, primarySelection } from '../option-shape.js';
import type { ObjectOf } from './outcome.js';

type Leaf = string | number | boolean;

/** Paths from one value to the texts, numbers and flags below it, a few steps deep. Maps have no names that a path could have. */
type PathsIn<T, TSteps extends readonly unknown[]> = TSteps extends readonly [unknown, ...infer TRest]
  ? T extends Leaf | readonly unknown[]
    ? never
    : {
        readonly [N in keyof T & string]-?: string extends N
          ? never
          : NonNullable<T[N]> extends Leaf
            ? N
            : `${N}.${PathsIn<NonNullable<T[N]>, TRest>}`;
      }[keyof T & string]
  : never;

type Server = 'apiVersion' | 'kind' | 'metadata';

/** Paths of an object's fields as a field selector writes them, for example `spec.className`. */
export type SelectablePath<T> = 'metadata.name' | 'metadata.namespace' | PathsIn<Omit<T, Server>, [1, 2, 3, 4]>;

/** Which objects of a kind a controller is for. All that is given must hold. */
export interface PrimarySelection<TPath extends string = string> {
  /** Labels that the objects have. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly labelSelector?: LabelSelectorModel | undefined;
  /** Values of fields that the API server selects by: of a custom resource those under `selectableFields`. An absent field has the value `''`. */
  readonly fields?: { readonly [P in TPath]?: string | undefined } | undefined;
}

/** A kind of which a controller is for some objects only: {@link select} makes it. */
export type Selected<TKind> = { readonly [K in keyof TKind]: TKind[K] };

/** Two copies of the package know each other's. */
const SELECTED = Symbol.for('keelson.selected');

/**
 * The objects of a kind that a controller is for, where it is not for all of them: a class of them, or a share.
 *
 * The API server evaluates the selection, so other objects cost nothing. The operator that serves another class has another name: finalizer and field manager of the
 * controller are then called after it. An object whose class changes is handed over, see docs/instances.md.
 *
 * @example
 * ```ts
 * const controller = defineController({
 *   name: 'memcached',
 *   for: select(Memcached, { labels: { 'cache.example.com/class': 'internal' } }),
 *   async reconcile({ done }) {
 *     return done();
 *   },
 * });
 * ```
 *
 * @throws DefinitionError for a label that is not one, and a field that the API server does not select by
 */
export function select<TKind extends KindInfo>(kind: TKind, selection: PrimarySelection<SelectablePath<ObjectOf<TKind>>>): Selected<TKind> {
  const subject = `select(${nameOr(kind, 'kind', 'an unknown kind')})`;
  mustHaveShape(subject, selection, primarySelection);
  const problems = isKind(kind)
    ? selectionProblems(kind, selection)
    : [{ path: 'kind', message: 'is not a kind; give a custom resource, or a kind of keelson/kinds' }];
  if (problems.length > 0) throw new DefinitionError(subject, problems);
  return Object.freeze(Object.create(kind, { [SELECTED]: { value: Object.freeze({ kind, select: selection }) } })) as Selected<TKind>;
}

/** A kind apart from the selection that {@link select} put on it. */
export function primaryOf<TKind extends KindInfo>(given: TKind): { readonly kind: TKind; readonly select?: SelectModel } {
  return (given as { readonly [SELECTED]?: { readonly kind: TKind; readonly select: SelectModel } })[SELECTED] ?? { kind: given };
}

function selectionProblems(kind: KindInfo, { labels = {}, labelSelector = {}, fields = {} }: PrimarySelection): Problem[] {
  const { matchLabels = {}, matchExpressions = [] } = labelSelector;
  if ([labels, matchLabels, matchExpressions, fields].every((part) => Object.keys(part).length === 0))
    return [{ path: 'labels', message: 'is empty, as is the rest; name labels or fields, or write the kind alone' }];
  return Object.keys(fields).flatMap((path) => {
    const problem = fieldProblem(kind, path);
    return problem === undefined ? [] : [{ path: `fields.${path}`, message: problem }];
  });
}

/** Fields that every kind is selected by. */
const COMMON: readonly string[] = ['metadata.name', 'metadata.namespace'];

/** The fields that a custom resource says it is selected by, beside those of every kind. */
export function selectableFields(kind: KindInfo): readonly string[] {
  if (!('customResource' in kind)) return [];
  const { versionList } = kind.customResource as CustomResourceModel;
  return (versionList.find(({ name }) => name === kind.version)?.selectableFields ?? []).map((field) => field.replace(/^\./, ''));
}

/** Why the API server does not select the objects of a kind by a field. Which fields a built-in kind has is the server's to say. */
export function fieldProblem(kind: KindInfo, path: string): string | undefined {
  if (COMMON.includes(path) || !('customResource' in kind)) return undefined;
  const known = selectableFields(kind);
  if (known.includes(path)) return undefined;
  return `is not a selectable field of ${kind.kind}, which has ${[...known, ...COMMON].join(', ')}; add '.${path}' to selectableFields of the custom resource`;
}
