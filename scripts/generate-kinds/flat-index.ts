import { quote } from '../../src/cli/index.js';
import { type ApiModel, isStable, qualifiedName } from './api-model.js';
import type { KindModule } from './kind-modules.js';
import { MARKER } from './marker.js';

/** A name under which the flat index exports a type. */
export interface FlatName {
  readonly module: string;
  readonly name: string;
  /** The same as `name`, or with group and version in front where that would be ambiguous. */
  readonly flat: string;
  readonly isKind: boolean;
}

/**
 * One name for every type of the stable API.
 *
 * A name that several modules claim goes to the preferred version of its group; between groups to the one that is an object of its own (kind), if there
 * is exactly one; the others, or all of them, carry group and version in front: `CoreV1Event`, `EventsV1Event`.
 */
export function flatNames(model: ApiModel, modules: readonly KindModule[]): readonly FlatName[] {
  const claims = new Map<string, { module: string; isKind: boolean }[]>();
  for (const { module, typeNames, kindNames } of modules.filter(({ module }) => isStable(module))) {
    const claim = (name: string, isKind: boolean) => claims.set(name, [...(claims.get(name) ?? []), { module, isKind }]);
    for (const name of typeNames) claim(name, false);
    for (const name of kindNames) claim(name, true);
  }
  const objects = new Set([...model.types.values()].filter(({ gvk }) => gvk !== undefined).map(({ module, name }) => `${module}.${name}`));
  const names = [...claims].flatMap(([name, claimants]) => {
    const owner = ownerOf(
      name,
      claimants.map(({ module }) => module),
      { model, objects },
    );
    return claimants.map(({ module, isKind }) => ({ module, name, isKind, flat: module === owner ? name : qualifiedName(module, name) }));
  });
  return names.sort((a, b) => (a.flat < b.flat ? -1 : 1));
}

interface Ownership {
  readonly model: ApiModel;
  readonly objects: ReadonlySet<string>;
}

function ownerOf(name: string, modules: readonly string[], { model, objects }: Ownership): string | undefined {
  const groups = new Set(modules.map((module) => module.split('/')[0]));
  const preferred = modules.filter((module) => model.preferredModules.has(module) || module === 'meta/v1');
  if (groups.size === 1) return preferred[0] ?? modules[0];
  const candidates = preferred.filter((module) => objects.has(`${module}.${name}`));
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** `imports/kinds/index.ts`: every kind and type of the stable API under one roof. */
export function flatIndex(names: readonly FlatName[]): string {
  const modules = [...new Set(names.map(({ module }) => module))].sort();
  const lines = modules.map((module) => {
    const exported = names
      .filter((name) => name.module === module)
      .map(({ name, flat, isKind }) => `${isKind ? '' : 'type '}${name}${flat === name ? '' : ` as ${flat}`}`);
    return `export {\n${exported.map((name) => `  ${name},`).join('\n')}\n} from ${quote(`./${module}.js`)};`;
  });
  return `// ${MARKER}\n${lines.join('\n')}\n`;
}
