/** A place where a value is not what it is awaited to be. */
export interface Difference {
  /** `spec.replicas`, `status.conditions[type=Ready].status` */
  readonly path: string;
  readonly found: unknown;
  readonly awaited: unknown;
}

/** The fields that identify an element of a list of objects, if there are any. */
const ELEMENT_KEYS = ['type', 'name', 'containerPort', 'port', 'key'] as const;

/**
 * Where `found` is not what `awaited` says. Fields that `awaited` leaves out may be anything.
 *
 * Elements of a list of objects are found by their `type` or `name`, as conditions and containers are, and others may be among them; other lists are awaited as
 * they are. `undefined` awaits that the field is absent.
 */
export function differences(found: unknown, awaited: unknown, path = ''): readonly Difference[] {
  if (Array.isArray(awaited)) return listDifferences(found, awaited, path);
  if (typeof awaited === 'object' && awaited !== null) {
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return [{ path, found, awaited }];
    return Object.entries(awaited).flatMap(([name, value]) =>
      differences((found as Record<string, unknown>)[name], value, path === '' ? name : `${path}.${name}`),
    );
  }
  return Object.is(found, awaited) ? [] : [{ path, found, awaited }];
}

function listDifferences(found: unknown, awaited: readonly unknown[], path: string): readonly Difference[] {
  if (!Array.isArray(found)) return [{ path, found, awaited }];
  const key = ELEMENT_KEYS.find(
    (candidate) => awaited.length > 0 && awaited.every((element) => scalarOf(element, candidate) !== undefined),
  );
  if (key === undefined) {
    if (found.length !== awaited.length) return [{ path, found, awaited }];
    return awaited.flatMap((element, index) => differences(found[index], element, `${path}[${index}]`));
  }
  return awaited.flatMap((element) => {
    const value = scalarOf(element, key);
    return differences(
      found.find((candidate) => scalarOf(candidate, key) === value),
      element,
      `${path}[${key}=${String(value)}]`,
    );
  });
}

function scalarOf(element: unknown, key: string): string | number | undefined {
  if (typeof element !== 'object' || element === null) return undefined;
  const value = (element as Record<string, unknown>)[key];
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

export function differenceText({ path, found, awaited }: Difference): string {
  return `${path || 'the object'}: is ${valueText(found)}, awaited ${valueText(awaited)}`;
}

const MAX_VALUE = 200;

function valueText(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}
