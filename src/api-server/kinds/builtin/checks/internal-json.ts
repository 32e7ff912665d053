import { type GoType, GoTypes } from '../../../values/index.js';

/**
 * Values as the server's messages print them: it validates types of its own ("internal" ones), whose fields are called as in Go and are all printed.
 *
 * Only refusals are printed: the table of types is read anew for each.
 */
export function internalValue(struct: string, value: unknown): unknown {
  return new InternalPrinter().struct(struct, value);
}

/** Fields that are pointers in the types that clients see alone. Source: kubernetes `pkg/apis/apps/types.go`. */
const NOT_POINTERS: ReadonlySet<string> = new Set([
  'apps/v1.RollingUpdateStatefulSetStrategy.Partition',
  'apps/v1.RollingUpdateDeployment.MaxUnavailable',
  'apps/v1.RollingUpdateDeployment.MaxSurge',
  'apps/v1.RollingUpdateDaemonSet.MaxUnavailable',
  'apps/v1.RollingUpdateDaemonSet.MaxSurge',
]);

type Fields = Readonly<Record<string, unknown>>;
type Printed = Map<string, unknown>;

class InternalPrinter {
  readonly #types = new GoTypes();

  struct(name: string, value: unknown): unknown {
    if (value === undefined || value === null) return null;
    const printed: Printed = new Map();
    if (name.startsWith('meta/v1.')) this.#versioned(name, value as Fields, printed);
    else this.#internal(name, value as Fields, printed);
    return printed;
  }

  /** Types that the server has no other form of: what is empty is left out, which it is already. */
  #versioned(name: string, value: Fields, printed: Printed): void {
    for (const { jsonName, type, isInlined } of this.#types.fields({ name })) {
      if (isInlined) this.#versioned(structName(type), value, printed);
      else if (value[jsonName] !== undefined) printed.set(jsonName, this.#value(type, value[jsonName]));
    }
  }

  #internal(name: string, value: Fields, printed: Printed): void {
    for (const { jsonName, goName, type, isInlined } of this.#types.fields({ name })) {
      if (type.form === 'struct' && type.name === 'meta/v1.TypeMeta') continue;
      const isMetadata = type.form === 'struct' && type.name === 'meta/v1.ObjectMeta';
      if (isMetadata) this.#versioned(type.name, (value[jsonName] ?? {}) as Fields, printed);
      else if (isInlined) this.#internal(structName(type), value, printed);
      else printed.set(goName, this.#value(NOT_POINTERS.has(`${name}.${goName}`) ? pointedAt(type) : type, value[jsonName]));
    }
  }

  #value(type: GoType, value: unknown): unknown {
    switch (type.form) {
      case 'pointer':
        return value === undefined || value === null ? null : this.#value(type.item, value);
      case 'slice':
        return Array.isArray(value) ? value.map((item) => this.#value(type.item, item)) : null;
      case 'map':
        return value === undefined || value === null ? null : this.#entries(type.item, value as Fields);
      case 'struct':
        return this.struct(type.name, value ?? {});
      case 'special':
        return value ?? zeroOfSpecial(type.name);
      default:
        return value ?? ZERO[type.form];
    }
  }

  #entries(item: GoType, value: Fields): Fields {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, this.#value(item, entry)]));
  }
}

const ZERO = { string: '', bool: false, int32: 0, int64: 0, float64: 0, bytes: null, any: null } as const;

function zeroOfSpecial(name: string): unknown {
  if (name.endsWith('.Quantity')) return '0';
  return name.endsWith('.IntOrString') ? 0 : null;
}

function structName(type: GoType): string {
  if (type.form === 'struct') return type.name;
  throw new RangeError(`${type.goName} is inlined and is not a struct`);
}

function pointedAt(type: GoType): GoType {
  return type.form === 'pointer' ? type.item : type;
}
