import type { KindInfo, StructuralSchema } from '@keelson/kubernetes/apimachinery';
import type { Problem } from '../errors.js';
import type { CustomResourceModel, StatusShareModel } from '../model.js';
import { flag, listOf, record, type Shape, shown, text } from '../option-shape.js';

/** The part of a status that one of several controllers of a kind writes: what it names, and nothing else. */
export interface StatusShare {
  /**
   * The condition that says how the controller's runs end: `True` after a run that ended well, `False` with the error after one that did not. `'Ready'` brings
   * `Reconciling`, `Stalled` and `observedGeneration` along.
   * @defaultValue none: only log, events and metrics show its errors
   */
  readonly summary?: string | undefined;
  /**
   * Whether `Ready`, which another controller of the kind writes, is `False` as long as this summary is not `True` for the same generation.
   * @defaultValue `false`
   */
  readonly neededForReady?: boolean | undefined;
  /**
   * Types of the conditions that it states beside its summary.
   * @defaultValue none
   */
  readonly conditions?: readonly string[] | undefined;
  /**
   * Fields of the status that it writes, for example `['lastBackup']`.
   * @defaultValue none
   */
  readonly fields?: readonly string[] | undefined;
}

/** Condition types of a share, as the status of a controller carries them: type only. */
interface OnlyTypes<out N> {
  readonly '~types': N;
}

type FieldsIn<TShare> = TShare extends { readonly fields: readonly (infer F)[] } ? F : never;
type TypesIn<TShare> =
  | (TShare extends { readonly summary: infer N } ? N : never)
  | (TShare extends { readonly conditions: readonly (infer N)[] } ? N : never);

/** The status as a controller with a share may write it. */
export type SharedStatus<TStatus, TShare> = Pick<TStatus, FieldsIn<TShare> & keyof TStatus> &
  ([TypesIn<TShare>] extends [never] ? unknown : { readonly conditions?: OnlyTypes<TypesIn<TShare>> });

/** The condition types that a status is limited to; `string` for one that is not. */
export type ConditionTypesOf<TStatus> = TStatus extends { readonly conditions?: infer C }
  ? NonNullable<C> extends OnlyTypes<infer N>
    ? N
    : string
  : string;

/** Says in the compiler's message what is wrong with a share. */
export type ShareProblems<TWrites, TStatus> = TWrites extends boolean
  ? unknown
  : [Exclude<FieldsIn<TWrites>, keyof TStatus>] extends [never]
    ? unknown
    : { readonly fields: readonly `'${Exclude<FieldsIn<TWrites>, keyof TStatus> & string}' is not a field of the status`[] };

const FORM = record(
  { summary: text, neededForReady: flag, conditions: listOf(text), fields: listOf(text) },
  "not part of a share of the status: { summary: 'BackupsReady', conditions: [...], fields: [...] }",
);

/** `true`, `false`, or a share. */
export const writtenStatus: Shape = (value, path) => (typeof value === 'object' && value !== null ? FORM(value, path) : flag(value, path));

/** The conditions of kstatus; they belong to the controller whose summary is `Ready`. */
export const READY = 'Ready';
export const ABNORMAL: readonly string[] = ['Reconciling', 'Stalled'];

export function shareOf({ summary, neededForReady = false, conditions = [], fields = [] }: StatusShare): StatusShareModel {
  return Object.freeze({
    ...(summary === undefined ? {} : { summary }),
    neededForReady,
    conditions: Object.freeze([...conditions]),
    fields: Object.freeze([...fields]),
  });
}

/** `metav1.Condition`: its pattern of `type`. */
const TYPE = /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/;

/** Mistakes in a share, by itself and by the kind's schema. */
export function shareProblems(share: StatusShare, kind: KindInfo): Problem[] {
  const { summary, neededForReady = false, conditions = [], fields = [] } = share;
  const problems: Problem[] = [];
  const refuse = (path: string, message: string): void => void problems.push({ path: `writesStatus.${path}`, message });
  if (summary === undefined && conditions.length + fields.length === 0)
    problems.push({ path: 'writesStatus', message: 'names nothing; write a summary, conditions or fields, or writesStatus: false' });
  if (neededForReady && summary === undefined)
    refuse('neededForReady', "is set, but there is no summary; name one, for example summary: 'BackupsReady'");
  if (neededForReady && summary === READY) refuse('neededForReady', 'is set beside the summary Ready itself; leave it out');
  for (const [type, path] of named(share)) {
    if (!TYPE.test(type)) refuse(path, `${shown(type)} is not a condition type; write one word in CamelCase, for example 'BackupRecent'`);
    if (ABNORMAL.includes(type) || (type === READY && path !== 'summary'))
      refuse(path, `'${type}' comes with the summary Ready alone; leave it out, or write summary: 'Ready'`);
  }
  problems.push(...twice(named(share).map(([type]) => type)), ...twice(fields), ...schemaProblems(share, kind));
  return problems;
}

function named({ summary, conditions = [] }: StatusShare): (readonly [string, string])[] {
  const listed = conditions.map((type, index) => [type, `conditions[${index}]`] as const);
  return summary === undefined ? listed : [[summary, 'summary'], ...listed];
}

function twice(names: readonly string[]): Problem[] {
  const again = names.filter((name, index) => names.indexOf(name) !== index);
  return [...new Set(again)].map((name) => ({ path: 'writesStatus', message: `names '${name}' twice; leave one out` }));
}

/** The framework's own fields: others say what they hold. */
const KEPT: Readonly<Record<string, string>> = {
  conditions: 'is written by conditions and summary; name the types there',
  observedGeneration: "comes with summary: 'Ready'; leave it out",
};

function schemaProblems(share: StatusShare, kind: KindInfo): Problem[] {
  const { fields = [] } = share;
  const schema = statusSchemaOf(kind);
  const problems = fields.flatMap((field, index): Problem[] => {
    const path = `writesStatus.fields[${index}]`;
    if (Object.hasOwn(KEPT, field)) return [{ path, message: `'${field}' ${KEPT[field]}` }];
    if (schema === undefined || schema['x-kubernetes-preserve-unknown-fields'] === true) return [];
    if (Object.hasOwn(schema.properties ?? {}, field)) return [];
    return [{ path, message: `'${field}' is not a field of the status of ${kind.kind}; correct its name, or declare it` }];
  });
  if (schema === undefined || named(share).length === 0 || schema.properties?.['conditions'] !== undefined) return problems;
  return [
    ...problems,
    { path: 'writesStatus', message: `names conditions; declare status.conditions of ${kind.kind} with k.conditions()` },
  ];
}

/** The schema of the status of a custom resource of the author's; `undefined` of other kinds. */
export function statusSchemaOf(kind: KindInfo): StructuralSchema | undefined {
  const model = 'customResource' in kind ? (kind.customResource as CustomResourceModel) : undefined;
  return model?.versionList.find(({ name }) => name === kind.version)?.schema.properties?.['status'];
}
