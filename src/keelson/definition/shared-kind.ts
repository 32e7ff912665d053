import type { StructuralSchema } from '@keelson/kubernetes/apimachinery';
import { ABNORMAL, READY, statusSchemaOf } from './controller/index.js';
import type { Problem } from './errors.js';
import type { ControllerModel, OwnModel } from './model.js';

/** A controller with its place among those of the operator. */
interface Placed {
  readonly path: string;
  readonly controller: ControllerModel;
}

/**
 * Problems of controllers that are for one kind: each needs a share of the status of its own, and children that carry its mark.
 *
 * Server-side apply keeps fields and conditions of different controllers apart. It cannot keep two that say the same one from undoing each other.
 */
export function sharedKindProblems(controllers: readonly ControllerModel[]): Problem[] {
  const kinds = new Map<string, Placed[]>();
  for (const [index, controller] of controllers.entries()) {
    const id = `${controller.for.kind}.${controller.for.group}`;
    kinds.set(id, [...(kinds.get(id) ?? []), { path: `controllers[${index}]`, controller }]);
  }
  return [...kinds.values()].flatMap((placed) => [...statusProblems(placed), ...childProblems(placed)]);
}

function statusProblems(placed: readonly Placed[]): Problem[] {
  const writers = placed.filter(({ controller }) => controller.writesStatus);
  const problems = neededProblems(writers);
  if (writers.length < 2) return problems;
  return [...problems, ...wholeProblems(writers), ...takenProblems(writers), ...schemaProblems(writers)];
}

function wholeProblems(writers: readonly Placed[]): Problem[] {
  const [first, ...others] = writers.filter(({ controller }) => controller.statusShare === undefined);
  return others.map(({ path, controller }) => ({
    path: `${path}.writesStatus`,
    message: `is the whole status of ${controller.for.kind}, as that of ${named(first as Placed)} is: each would undo what the other says; at one of them name its share: writesStatus: { summary: '${summaryFor(controller.name)}', conditions: [...], fields: [...] }, or write false`,
  }));
}

/** `backup-store` becomes `BackupStoreReady`. */
function summaryFor(name: string): string {
  return `${name.replace(/(?:^|-+)(\w)/g, (_, letter: string) => letter.toUpperCase())}Ready`;
}

/** A condition type or field that a controller names. */
interface Said {
  readonly what: 'condition' | 'field';
  readonly name: string;
  readonly path: string;
  readonly by: Placed;
}

function takenProblems(writers: readonly Placed[]): Problem[] {
  // Two that write the whole status are a problem of their own.
  const whole = writers.find(({ controller }) => controller.statusShare === undefined);
  const said = writers.filter((by) => by === whole || by.controller.statusShare !== undefined).flatMap(saidBy);
  return said.flatMap(({ what, name, path, by }, index) => {
    const earlier = said.slice(0, index).find((other) => other.what === what && other.name === name && other.by !== by);
    if (earlier === undefined) return [];
    const hint =
      name === READY && path.endsWith('.summary')
        ? `give one of them a summary of its own, for example '${summaryFor(by.controller.name)}'`
        : 'leave it to one of them';
    return [{ path, message: `the ${what} '${name}' is that of ${named(earlier.by)} too; ${hint}` }];
  });
}

function saidBy(by: Placed): Said[] {
  const { statusShare } = by.controller;
  const at = `${by.path}.writesStatus`;
  const condition = (name: string, path: string): Said => ({ what: 'condition', name, path, by });
  // The writer of the whole status also has the conditions that no other controller names, Ready among them.
  if (statusShare === undefined) return [condition(READY, at), ...ABNORMAL.map((type) => condition(type, at))];
  const { summary, conditions, fields } = statusShare;
  return [
    ...(summary === undefined ? [] : [condition(summary, `${at}.summary`)]),
    ...conditions.map((type, index) => condition(type, `${at}.conditions[${index}]`)),
    ...fields.map((name, index): Said => ({ what: 'field', name, path: `${at}.fields[${index}]`, by })),
  ];
}

function neededProblems(writers: readonly Placed[]): Problem[] {
  if (writers.some(({ controller: { statusShare } }) => statusShare === undefined || statusShare.summary === READY)) return [];
  return writers
    .filter(({ controller }) => controller.statusShare?.neededForReady === true)
    .map(({ path, controller }) => ({
      path: `${path}.writesStatus.neededForReady`,
      message: `is set, but no controller for ${controller.for.kind} writes Ready; leave it out, or give another one summary: 'Ready'`,
    }));
}

/** A status that the API server would let only one of them write. */
function schemaProblems(writers: readonly Placed[]): Problem[] {
  const [first] = writers as [Placed];
  const { kind } = first.controller.for;
  const schema = statusSchemaOf(first.controller.for);
  if (schema === undefined) return [];
  const names = writers.map(named).join(' and ');
  const refuse = (message: string): Problem => ({ path: `${first.path}.for`, message: `${names} write the status of ${kind}: ${message}` });
  const { properties = {}, required = [] } = schema;
  const waiting = required.filter((field) => properties[field]?.default === undefined);
  return [
    ...(schema['x-kubernetes-map-type'] === 'atomic'
      ? [refuse('it is atomic, so that each write replaces all of it; leave k.atomic out')]
      : []),
    ...(isKeyedByType(properties['conditions'])
      ? []
      : [refuse('status.conditions is replaced as a whole by each write; declare it with k.conditions()')]),
    ...waiting.map((field) =>
      refuse(
        `status.${field} is required, so the API server refuses what one writes before the other; make it optional, or give it a default`,
      ),
    ),
  ];
}

function isKeyedByType(conditions: StructuralSchema | undefined): boolean {
  if (conditions === undefined) return true;
  const keys = conditions['x-kubernetes-list-map-keys'] ?? [];
  return conditions['x-kubernetes-list-type'] === 'map' && keys.length === 1 && keys[0] === 'type';
}

/**
 * Objects that a verb makes carry their owner, but not the controller that made them. Desired state has a mark: there, each controller sees its own.
 */
function childProblems(placed: readonly Placed[]): Problem[] {
  const acting = placed.flatMap((by) =>
    Object.entries(by.controller.owns).flatMap(([handle, own]) => (own.policy.verbs.length === 0 ? [] : [{ by, handle, own }])),
  );
  return acting.flatMap(({ by, handle, own }, index) => {
    const earlier = acting.slice(0, index).find((other) => other.by !== by && isSameKind(other.own, own));
    if (earlier === undefined) return [];
    const { kind } = own.kind;
    return [
      {
        path: `${by.path}.owns.${handle}`,
        message: `acts upon the ${kind} children of the same ${by.controller.for.kind} as owns.${earlier.handle} of ${named(earlier.by)} does: their objects carry no mark of the controller that made them; let one controller make and delete them, and let the other watch them: watches: { ${handle}: watch(${kind}, { verbs: [...] }) }`,
      },
    ];
  });
}

function isSameKind({ kind: one }: OwnModel, { kind: other }: OwnModel): boolean {
  return one.kind === other.kind && one.group === other.group;
}

function named({ path, controller }: Placed): string {
  return `${path} ('${controller.name}')`;
}
