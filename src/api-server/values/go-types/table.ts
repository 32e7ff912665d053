import { goKinds, goTypes } from '../../../../imports/go-types/table.js';

/** A type as Go has it, unfolded one step: what it refers to is looked up by name. */
export type GoType =
  | { readonly form: 'string' | 'bool' | 'int32' | 'int64' | 'float64' | 'bytes' | 'any'; readonly goName: string }
  | { readonly form: 'pointer'; readonly item: GoType; readonly goName: string }
  | { readonly form: 'slice'; readonly item: GoType; readonly goName: string; readonly isMessage: boolean }
  | { readonly form: 'map'; readonly item: GoType; readonly goName: string }
  /** A struct of the table, or a type with a decoder of its own; `name` is the key of the table: `apps/v1.DeploymentSpec`. */
  | { readonly form: 'struct' | 'special'; readonly name: string; readonly goName: string };

/** A field of a struct, embedded ones included. */
export interface GoField {
  readonly jsonName: string;
  readonly goName: string;
  readonly type: GoType;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  /** Its fields are fields of the struct in JSON; protobuf nests them. */
  readonly isInlined: boolean;
  /** Not there for what protobuf does not carry. */
  readonly protobufNumber?: number;
  readonly patchStrategies: readonly string[];
  readonly patchMergeKey?: string;
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'bool', 'int32', 'int64', 'float64', 'bytes', 'any']);
type Scalar = 'string' | 'bool' | 'int32' | 'int64' | 'float64' | 'bytes' | 'any';

/** The generated table, read type by type: a process that needs Pods never reads the other 900. */
export class TypeTable {
  readonly #texts = goTypes();
  readonly #kinds = goKinds();
  readonly #types = new Map<string, GoType>();
  readonly #fields = new Map<string, readonly GoField[]>();
  readonly #kindsOf = new Map<string, ReadonlyMap<string, string>>();

  /** The struct of a kind; nothing for a kind that the group version does not have. */
  kind(apiVersion: string, kind: string): string | undefined {
    return this.#kindsIn(apiVersion).get(kind) ?? (Object.hasOwn(this.#kinds, apiVersion) ? this.#kindsIn('meta/v1').get(kind) : undefined);
  }

  fields(struct: string): readonly GoField[] {
    const known = this.#fields.get(struct);
    if (known !== undefined) return known;
    const text = this.#texts[struct];
    if (text === undefined) throw new Error(`${struct} is not in the table of Go types: generate it again`);
    const fields = text === '' ? [] : text.split(';').map((columns) => this.#field(columns));
    this.#fields.set(struct, fields);
    return fields;
  }

  #kindsIn(apiVersion: string): ReadonlyMap<string, string> {
    const known = this.#kindsOf.get(apiVersion);
    if (known !== undefined) return known;
    const text = Object.hasOwn(this.#kinds, apiVersion) ? (this.#kinds[apiVersion] ?? '') : '';
    const [home = '', ...entries] = text.split(' ');
    const kinds = new Map(
      entries.map((entry): [string, string] => {
        const [kind = '', type = `${home}.${kind}`] = entry.split('=');
        return [kind, type];
      }),
    );
    this.#kindsOf.set(apiVersion, kinds);
    return kinds;
  }

  #field(text: string): GoField {
    const [jsonName = '', type = '', flags = '-', number = '-', goName = '-', strategies = '-', mergeKey = '-'] = text.split(' ');
    return {
      jsonName,
      goName: goName === '-' ? jsonName.slice(0, 1).toUpperCase() + jsonName.slice(1) : goName,
      type: this.type(type),
      omitEmpty: flags.includes('o'),
      omitZero: flags.includes('z'),
      isInlined: flags.includes('i'),
      patchStrategies: strategies === '-' ? [] : strategies.split(','),
      ...(number === '-' ? {} : { protobufNumber: Number(number) }),
      ...(mergeKey === '-' ? {} : { patchMergeKey: mergeKey }),
    };
  }

  type(expression: string): GoType {
    const known = this.#types.get(expression);
    if (known !== undefined) return known;
    const type = this.#parse(expression);
    this.#types.set(expression, type);
    return type;
  }

  #parse(expression: string): GoType {
    if (SCALARS.has(expression)) return { form: expression as Scalar, goName: SCALAR_NAMES[expression] ?? expression };
    if (expression.startsWith('*')) {
      const item = this.type(expression.slice(1));
      return { form: 'pointer', item, goName: `*${item.goName}` };
    }
    if (expression.startsWith('[]')) {
      const item = this.type(expression.slice(2));
      return { form: 'slice', item, goName: `[]${item.goName}`, isMessage: false };
    }
    if (expression.startsWith('{')) {
      const end = expression.indexOf('}');
      const item = this.type(expression.slice(end + 1));
      return { form: 'map', item, goName: `map[${this.type(expression.slice(1, end)).goName}]${item.goName}` };
    }
    return this.#named(expression);
  }

  #named(name: string): GoType {
    const goName = name.slice(name.lastIndexOf('/') + 1);
    const text = this.#texts[name];
    if (text === undefined) return { form: 'special', name, goName };
    if (text.startsWith('~')) return { ...this.type(text.slice(1)), goName, isMessage: true } as GoType;
    if (text.startsWith('=')) return { ...this.type(text.slice(1)), goName };
    return { form: 'struct', name, goName };
  }
}

const SCALAR_NAMES: Readonly<Record<string, string>> = { bytes: '[]uint8', any: 'interface {}' };
