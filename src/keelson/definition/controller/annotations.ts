import { type KindInfo, LABEL_KEY, obeys } from '@keelson/kubernetes/apimachinery';
import type { Problem } from '../errors.js';
import type { AnnotationsModel, UseModel } from '../model.js';
import { choice, either, flag, record, type Shape, shown, text } from '../option-shape.js';

/** The annotations by which people direct a controller, object by object. */
export interface Annotations {
  /**
   * Domain of the keys: with `example.com` the controller reads `example.com/paused`.
   * @defaultValue the group of a custom resource of yours, as for its finalizer; for other kinds no annotation is read unless its key or the domain is given
   */
  readonly prefix?: string | undefined;
  /**
   * Key of the annotation that pauses an object, for a project that has one already: `cluster.x-k8s.io/paused`. Any value but `false` pauses the object.
   * `false`: objects cannot be paused.
   * @defaultValue `<prefix>/paused`
   */
  readonly paused?: string | false | undefined;
  /**
   * The treatment of a paused object that is deleted: `finalize` runs, or waits until the object is resumed.
   * @defaultValue `'finalize'`, so that a namespace with a paused object can be deleted
   */
  readonly pausedDeletion?: 'finalize' | 'wait' | undefined;
  /**
   * Key of the annotation that says how an object is treated. With the value `observe` runs compute what they would write, and write nothing.
   * `false`: the annotation is not read.
   * @defaultValue `<prefix>/mode`; none for a controller that uses externals, whose calls no run can withhold. By giving the key you say that `reconcile` only reads
   * from them
   */
  readonly mode?: string | false | undefined;
  /**
   * Key of the annotation whose change asks for a run. The run answers with its value in `status.lastHandledReconcile`, where the status schema has this text.
   * `false`: nothing is answered.
   * @defaultValue `<prefix>/reconcile`
   */
  readonly reconcile?: string | false | undefined;
  /**
   * Whether the annotation `<prefix>/deletion` with the value `orphan` keeps the children of an object that is deleted; or its whole key. `finalize` is not called
   * for such an object. It gives every object a finalizer, and needs rights on the kind and on its children.
   * @defaultValue `false`
   */
  readonly deletion?: string | boolean | undefined;
}

const no: Shape = (value) => (value === false ? [] : [{ path: '', message: 'is not false' }]);
const key = either(no, text, "the key of an annotation such as 'example.com/paused', or false");

/** The form of the option `annotations`. */
export const annotationsForm: Shape = record(
  {
    prefix: text,
    paused: key,
    pausedDeletion: choice('finalize', 'wait'),
    mode: key,
    reconcile: key,
    deletion: either(flag, text, "true, false, or the key of an annotation such as 'example.com/deletion'"),
  },
  'not an option of annotations',
);

/** The keys that options name. */
const KEYS = ['paused', 'mode', 'reconcile', 'deletion'] as const;

interface Annotated {
  readonly for: KindInfo;
  readonly uses?: Readonly<Record<string, Pick<UseModel, 'sort'>>> | undefined;
  readonly annotations?: Annotations | undefined;
}

/** The keys that a controller reads; `undefined` if it reads none. */
export function annotationsOf({ for: primary, uses = {}, annotations = {} }: Annotated): AnnotationsModel | undefined {
  // The API server keeps each group unique in a cluster, and a custom resource of ours is in a group of ours.
  const prefix = annotations.prefix ?? ('customResource' in primary ? primary.group : undefined);
  const keyOf = (name: (typeof KEYS)[number]): string | undefined => {
    const own = annotations[name];
    return own === false ? undefined : typeof own === 'string' ? own : prefix === undefined ? undefined : `${prefix}/${name}`;
  };
  const actsOutside = Object.values(uses).some(({ sort }) => sort === 'external');
  const keys = {
    paused: keyOf('paused'),
    mode: actsOutside && annotations.mode === undefined ? undefined : keyOf('mode'),
    reconcile: keyOf('reconcile'),
    deletion: annotations.deletion === undefined ? undefined : keyOf('deletion'),
  };
  const read = Object.entries(keys).filter(([, given]) => given !== undefined);
  if (read.length === 0) return undefined;
  return Object.freeze({ ...Object.fromEntries(read), ...(annotations.pausedDeletion === 'wait' ? { pausedDeletionWaits: true } : {}) });
}

/** Problems of an option that has its form. */
export function annotationProblems({ for: primary, annotations }: Annotated): Problem[] {
  if (annotations === undefined) return [];
  const { prefix, pausedDeletion, deletion } = annotations;
  const problems: Problem[] = KEYS.flatMap((name) => {
    const own = annotations[name];
    return typeof own !== 'string' || isQualified(own)
      ? []
      : [
          {
            path: `annotations.${name}`,
            message: `${shown(own)} is not a key with a domain; write <domain>/<name>, for example example.com/${name}`,
          },
        ];
  });
  if (prefix !== undefined && !isQualified(`${prefix}/paused`))
    problems.push({ path: 'annotations.prefix', message: `${shown(prefix)} is not a domain; write for example example.com` });
  if (deletion === true && problems.length === 0 && annotationsOf({ for: primary, annotations })?.deletion === undefined)
    problems.push({
      path: 'annotations.deletion',
      message: `is true, but ${primary.kind} is not a kind of yours; give the whole key, or a prefix`,
    });
  if (pausedDeletion !== undefined && problems.length === 0 && annotationsOf({ for: primary, annotations })?.paused === undefined)
    problems.push({
      path: 'annotations.pausedDeletion',
      message: 'is set, but objects cannot be paused; leave it out, or give a key under paused',
    });
  return problems;
}

function isQualified(name: string): boolean {
  return obeys(LABEL_KEY, name) && /^[^/]*\.[^/]*\//.test(name);
}
