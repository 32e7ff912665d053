import { isWatch, watchOf } from '../controller/index.js';
import type { Problem } from '../errors.js';
import type { WatchModel } from '../model.js';
import { namedNamespaceProblems } from '../named-namespaces.js';
import { isKind } from '../option-shape.js';
import type { ReservedAdmissionName } from './handler.js';

export const RESERVED_NAMES: readonly string[] = [
  'operation',
  'name',
  'old',
  'dryRun',
  'userInfo',
  'namespace',
  'signal',
  'warn',
] satisfies ReservedAdmissionName[];

/** The kinds that a webhook reads, as the runtime takes them. */
export function watchModels(declared: Readonly<Record<string, unknown>>): Readonly<Record<string, WatchModel>> {
  return Object.freeze(Object.fromEntries(Object.entries(declared).map(([name, value]) => [name, watchOf(value as WatchModel)])));
}

/** A webhook reads and nothing else: it may be called for what is never stored, and by every replica. */
export function watchesProblems(declared: Readonly<Record<string, unknown>>): Problem[] {
  return Object.entries(declared).flatMap(([name, value]): Problem[] => {
    const path = `watches.${name}`;
    if (RESERVED_NAMES.includes(name) || name === '__proto__')
      return [{ path, message: `'${name}' is a reserved name: the context itself uses it; choose another` }];
    if (isKind(value)) return [];
    if (!isWatch(value) || !isKind(value.kind))
      return [{ path, message: 'is not a kind; give a kind of keelson/kinds, or watch(Kind, { ... })' }];
    return [
      ...(value.verbs.length === 0
        ? []
        : [{ path: `${path}.verbs`, message: 'is set, but a webhook only reads; leave it out, and write in a controller' }]),
      ...(value.only === undefined
        ? []
        : [{ path: `${path}.only`, message: 'is set, but a webhook has no objects that could refer to others; leave it out' }]),
      ...(value.enqueue === undefined || value.only !== undefined
        ? []
        : [{ path: `${path}.enqueue`, message: 'is set, but a webhook reconciles nothing; leave it out' }]),
      ...namedNamespaceProblems(value.select?.namespaces, value.kind, `${path}.select.namespaces`),
    ];
  });
}
