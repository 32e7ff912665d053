import { apiVersionOf, type Json, type StructuralSchema } from '@keelson/kubernetes/apimachinery';
import type { OperatorModel } from '../../definition/index.js';
import { type CustomKind, customKindsOf } from '../custom-kinds.js';
import type { Descriptor, KindPresentation } from './olm-bundle-options.js';

const WIDGET = 'urn:alm:descriptor:com.tectonic.ui:';
const CONDITIONS = 'urn:alm:descriptor:io.kubernetes.conditions';

/** `spec.customresourcedefinitions.owned`: each served version of each kind, as consoles show it. */
export function ownedDefinitions(
  crds: readonly Json[],
  kinds: Readonly<Record<string, KindPresentation>>,
  operator: OperatorModel | undefined,
): readonly object[] {
  return customKindsOf(crds).map((custom) => {
    const { plural, group, version, kind, schema } = custom;
    const name = `${plural}.${group}`;
    const given = kinds[name] ?? {};
    return {
      name,
      version,
      kind,
      displayName: given.displayName ?? words(kind),
      ...notEmpty('description', given.description ?? schema.description ?? ''),
      ...notEmpty('resources', given.resources ?? ownedKinds(custom, operator)),
      ...notEmpty('specDescriptors', given.specDescriptors ?? descriptors(schema.properties?.['spec'])),
      ...notEmpty('statusDescriptors', given.statusDescriptors ?? descriptors(schema.properties?.['status'])),
    };
  });
}

/** As opm writes it: what is empty is left out. */
function notEmpty(name: string, value: string | readonly object[]): object {
  return value.length === 0 ? {} : { [name]: value };
}

/** Kinds of the objects that the controllers of a kind own. */
function ownedKinds({ group, kind }: CustomKind, operator: OperatorModel | undefined): readonly object[] {
  const owned = (operator?.controllers ?? [])
    .filter((controller) => controller.for.kind === kind && controller.for.group === group)
    .flatMap((controller) =>
      Object.values(controller.owns).map((own) => ({ kind: own.kind.kind, name: '', version: apiVersionOf(own.kind) })),
    );
  const unique = new Map(owned.map((resource) => [`${resource.kind}/${resource.version}`, resource]));
  return [...unique].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, resource]) => resource);
}

function descriptors(schema: StructuralSchema | undefined): readonly Descriptor[] {
  return Object.entries(schema?.properties ?? {}).map(([path, field]) => {
    const widgets = widgetsOf(path, field);
    return {
      path,
      displayName: words(path),
      ...(field.description === undefined ? {} : { description: field.description }),
      ...(widgets.length === 0 ? {} : { 'x-descriptors': widgets }),
    };
  });
}

function widgetsOf(path: string, { type, properties, items }: StructuralSchema): readonly string[] {
  if (path === 'conditions' && items?.properties?.['lastTransitionTime'] !== undefined) return [CONDITIONS];
  if (type === 'boolean') return [`${WIDGET}booleanSwitch`];
  if (type === 'integer' || type === 'number') return [`${WIDGET}number`];
  if (type === 'string') return [`${WIDGET}text`];
  return properties?.['limits'] !== undefined && properties['requests'] !== undefined ? [`${WIDGET}resourceRequirements`] : [];
}

/** `MemcachedBackup` and `memcachedBackup` as `Memcached Backup`. */
function words(name: string): string {
  const apart = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2');
  return apart.charAt(0).toUpperCase() + apart.slice(1);
}
