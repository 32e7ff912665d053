import { isRecord, type KindInfo } from '@keelson/kubernetes/apimachinery';
import type { Problem } from '../errors.js';
import type { OwnModel, ReadModel, WatchModel } from '../model.js';
import { namedNamespaceProblems } from '../named-namespaces.js';
import { isKind } from '../option-shape.js';
import type { ReservedName } from './context.js';
import { ownerProblems } from './enqueue.js';
import { isOwn, ownOf, ownProblems } from './own.js';
import { isRead, readProblems } from './read.js';
import { isReferrers, referrersProblems } from './referrers.js';
import { isAll, isSelecting, selectingProblems } from './selecting.js';
import { isThrough, throughProblems } from './through.js';
import { isUse, NOT_DECLARED } from './uses.js';
import { verbProblems } from './verbs.js';
import { isWatch } from './watch.js';

/** The names of a controller; untyped code may pass anything. */
export interface DeclaredNames {
  readonly for: KindInfo;
  readonly owns?: Readonly<Record<string, unknown>>;
  readonly watches?: Readonly<Record<string, unknown>>;
  readonly reads?: Readonly<Record<string, unknown>>;
  readonly uses?: Readonly<Record<string, unknown>>;
  readonly observes?: Readonly<Record<string, unknown>>;
  readonly background?: Readonly<Record<string, unknown>>;
}

const RESERVED_NAMES: readonly string[] = [
  'object',
  'log',
  'signal',
  'events',
  'now',
  'trigger',
  'attempt',
  'done',
  'status',
  'owned',
  'enqueue',
  'progress',
  'key',
] satisfies ReservedName[];

const MAPS = ['owns', 'watches', 'reads', 'uses', 'observes', 'background'] as const;

interface DeclaredName {
  readonly map: (typeof MAPS)[number];
  readonly name: string;
  readonly path: string;
  readonly value: unknown;
}

/** All names of a controller are properties of one context: each is there once, and differs from the context's own. */
export function handleProblems(options: DeclaredNames): Problem[] {
  const declared = MAPS.flatMap((map) =>
    Object.entries(options[map] ?? {}).map(([name, value]): DeclaredName => ({ map, name, path: `${map}.${name}`, value })),
  );
  return [
    ...sharedKindProblems(options.owns ?? {}),
    ...declared.flatMap((named, index) => [...nameProblems(named, declared.slice(0, index)), ...declaredProblems(named, options)]),
  ];
}

/** Nothing distinguishes their children after a restart: each would delete the children that the other lists. */
function sharedKindProblems(owns: Readonly<Record<string, unknown>>): Problem[] {
  const desired = Object.entries(owns).flatMap(([name, value]) => {
    const model = madeBy('owns', value) === undefined ? undefined : (value as OwnModel);
    const kind = model === undefined ? value : model.kind;
    return isKind(kind) && model?.policy.desired !== false ? [{ name, id: `${kind.kind}.${kind.group}`, kind: kind.kind }] : [];
  });
  return desired.flatMap(({ name, id, kind }, index) => {
    const earlier = desired.slice(0, index).find((other) => other.id === id);
    if (earlier === undefined) return [];
    const message = `is desired state of ${kind}, as owns.${earlier.name} is; list all children of a kind under one handle, or give the other verbs alone`;
    return [{ path: `owns.${name}`, message }];
  });
}

function nameProblems({ name, path }: DeclaredName, earlier: readonly DeclaredName[]): Problem[] {
  const problems: Problem[] = [];
  // As a key of the context, `__proto__` would replace its prototype.
  if (RESERVED_NAMES.includes(name) || name === '__proto__')
    problems.push({ path, message: `'${name}' is a reserved name: the context itself uses it; choose another` });
  const other = earlier.find((each) => each.name === name);
  if (other !== undefined)
    problems.push({ path, message: `'${name}' is declared twice, here and at ${other.path}; choose another name for one` });
  return problems;
}

const MADE_BY = {
  owns: ', or own(Kind, { ... })',
  watches: ', or watch(Kind, { ... })',
  reads: ", or read(Kind, { verbs: ['get'] })",
} as const;

function declaredProblems({ map, path, value }: DeclaredName, { for: primary, watches = {} }: DeclaredNames): Problem[] {
  if (map === 'uses') return isUse(value) ? [] : [{ path, message: NOT_DECLARED }];
  // The builder has checked what it made, and the shape that the others are functions.
  if (map === 'observes' || map === 'background') return [];
  const made = madeBy(map, value);
  const kind = made === undefined ? value : made.kind;
  if (!isKind(kind)) return [{ path, message: `is not a kind; give a kind of keelson/kinds${MADE_BY[map]}` }];
  if (map === 'owns') return ownProblems(ownOf(made === undefined ? kind : (made as OwnModel)), primary, path);
  if (made === undefined) return [];
  if (map === 'reads') return readProblems(made as ReadModel, path);
  const { enqueue } = made as WatchModel;
  return [
    ...watchProblems(made as WatchModel, primary, path),
    ...(isThrough(enqueue) ? throughProblems(enqueue, Object.values(watches).filter(isWatch), `${path}.enqueue`) : []),
  ];
}

function madeBy(map: 'owns' | 'watches' | 'reads', value: unknown): { readonly kind: unknown } | undefined {
  const is = { owns: isOwn, watches: isWatch, reads: isRead }[map];
  return isRecord(value) && !isKind(value) && is(value) ? (value as { readonly kind: unknown }) : undefined;
}

function watchProblems(watch: WatchModel, primary: KindInfo, path: string): Problem[] {
  const { kind, verbs, enqueue, select, metadataOnly, only, ignoreStatus, optional } = watch;
  const problems = verbProblems(verbs, kind, path);
  problems.push(...(only === undefined ? enqueueProblems(enqueue, primary, `${path}.enqueue`) : onlyProblems(watch, primary, path)));
  problems.push(...namedNamespaceProblems(select?.namespaces, kind, `${path}.select.namespaces`));
  if (metadataOnly === true && verbs.length > 0) {
    problems.push({
      path: `${path}.metadataOnly`,
      message: 'is set beside verbs, whose answers are whole objects; leave it out, or declare a second handle that writes',
    });
  }
  if (optional === true && only !== undefined)
    problems.push({
      path: `${path}.optional`,
      message:
        'is set beside only, which has no watch while nothing is named, and so cannot say whether the kind is served; write enqueue: toReferrers(...) in place of only',
    });
  if (ignoreStatus === true && enqueue === undefined)
    problems.push({
      path: `${path}.ignoreStatus`,
      message: 'is set, but no change of these objects reconciles anything; write enqueue, or leave it out',
    });
  return problems;
}

function enqueueProblems(enqueue: unknown, primary: KindInfo, path: string): Problem[] {
  if (isReferrers(enqueue)) return referrersProblems(enqueue, primary, path);
  if (isSelecting(enqueue) || isAll(enqueue)) return selectingProblems(enqueue, primary, path);
  // It goes on through the watches beside it.
  if (isThrough(enqueue)) return [];
  if (enqueue === undefined || typeof enqueue === 'function') return ownerProblems(enqueue, primary, path);
  const message =
    'is not a function; write toOwner(Kind), toReferrers(Kind, ...), toSelectors(Kind, ...), through(Kind, ...), toAll(Kind), or a function from the object to keys { name, namespace }';
  return [{ path, message }];
}

function onlyProblems({ only, enqueue, select }: WatchModel, primary: KindInfo, path: string): Problem[] {
  if (!isReferrers(only))
    return [{ path: `${path}.only`, message: 'is not what referenced() returns; write only: referenced(Kind, (object) => [name])' }];
  const beside = (option: string): Problem => ({
    path: `${path}.${option}`,
    message: 'is set beside only, which says by itself what is watched and whom a change concerns; leave it out',
  });
  return [
    ...referrersProblems(only, primary, `${path}.only`, 'referenced'),
    ...(enqueue === only ? [] : [beside('enqueue')]),
    ...(select === undefined ? [] : [beside('select')]),
  ];
}
