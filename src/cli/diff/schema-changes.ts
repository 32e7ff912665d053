import { equalJson, type StructuralSchema } from '@keelson/kubernetes/apimachinery';
import { type Finding, findingOf, shown } from './finding.js';
import type { RuleId } from './rules.js';

type Rules = NonNullable<StructuralSchema['x-kubernetes-validations']>;

/** Compares two schemas field by field. @param object the CRD, for findings */
export function schemaChanges(object: string, before: StructuralSchema, after: StructuralSchema, path: string): readonly Finding[] {
  return new SchemaChanges(object).between(before, after, path);
}

class SchemaChanges {
  readonly #object: string;

  constructor(object: string) {
    this.#object = object;
  }

  between(before: StructuralSchema, after: StructuralSchema, path: string): readonly Finding[] {
    if (typeOf(before) !== typeOf(after)) return [this.#found('type-changed', path, `${typeOf(before)} → ${typeOf(after)}`)];
    return [
      ...this.#bounds(before, after, path),
      ...this.#forms(before, after, path),
      ...this.#rules(before['x-kubernetes-validations'] ?? [], after['x-kubernetes-validations'] ?? [], path),
      ...this.#merging(before, after, path),
      ...this.#fields(before, after, path),
      ...this.#elements(before, after, path),
    ];
  }

  #found(rule: RuleId, path: string, message: string): Finding {
    return findingOf(rule, this.#object, path, message);
  }

  #bounds(before: StructuralSchema, after: StructuralSchema, path: string): readonly Finding[] {
    return [...UPPER.map((name) => [name, 1] as const), ...LOWER.map((name) => [name, -1] as const)].flatMap(([name, sign]) => {
      const [old, now] = [before[name], after[name]];
      if (old === now) return [];
      const isNarrowed = old === undefined || (now !== undefined && sign * now < sign * old);
      return [this.#found(isNarrowed ? 'bound-narrowed' : 'bound-widened', path, `${name}: ${shown(old)} → ${shown(now)}`)];
    });
  }

  #forms(before: StructuralSchema, after: StructuralSchema, path: string): readonly Finding[] {
    const changed = (rule: RuleId, name: keyof StructuralSchema): readonly Finding[] =>
      equalJson(before[name], after[name]) ? [] : [this.#found(rule, path, `${name}: ${shown(before[name])} → ${shown(after[name])}`)];
    const flag = (name: 'exclusiveMaximum' | 'exclusiveMinimum' | 'uniqueItems'): readonly Finding[] =>
      (before[name] ?? false) === (after[name] ?? false)
        ? []
        : [
            this.#found(
              after[name] === true ? 'bound-narrowed' : 'bound-widened',
              path,
              `${name}: ${shown(before[name])} → ${shown(after[name])}`,
            ),
          ];
    return [
      ...this.#enum(before.enum, after.enum, path),
      ...flag('exclusiveMaximum'),
      ...flag('exclusiveMinimum'),
      ...flag('uniqueItems'),
      ...changed(after.pattern === undefined ? 'pattern-removed' : 'pattern-changed', 'pattern'),
      ...changed('format-changed', 'format'),
      ...changed('bound-narrowed', 'multipleOf'),
      ...((before.nullable ?? false) === (after.nullable ?? false)
        ? []
        : [
            this.#found(
              after.nullable === true ? 'nullable-added' : 'nullable-removed',
              path,
              after.nullable === true ? 'may be null' : 'may not be null',
            ),
          ]),
      ...changed('default-changed', 'default'),
      ...changed('description-changed', 'description'),
      ...(['allOf', 'anyOf', 'oneOf', 'not'] as const).flatMap((name) => changed('junctor-changed', name)),
    ];
  }

  #enum(before: StructuralSchema['enum'], after: StructuralSchema['enum'], path: string): readonly Finding[] {
    if (equalJson(before, after)) return [];
    if (before === undefined) return [this.#found('enum-narrowed', path, `any value → ${shown(after)}`)];
    if (after === undefined) return [this.#found('enum-widened', path, `${shown(before)} → any value`)];
    const removed = before.filter((value) => !after.some((other) => equalJson(other, value)));
    const added = after.filter((value) => !before.some((other) => equalJson(other, value)));
    return [
      ...(removed.length === 0 ? [] : [this.#found('enum-narrowed', path, `no longer possible: ${removed.map(shown).join(', ')}`)]),
      ...(added.length === 0 ? [] : [this.#found('enum-widened', path, `newly possible: ${added.map(shown).join(', ')}`)]),
    ];
  }

  /** A rule that compares with the old value makes a field immutable, in part or as a whole. Another message is not a change. */
  #rules(before: Rules, after: Rules, path: string): readonly Finding[] {
    const texts = (rules: Rules): ReadonlySet<string> => new Set(rules.map(({ rule }) => rule.trim()));
    const [old, now] = [texts(before), texts(after)];
    return [
      ...[...now]
        .filter((rule) => !old.has(rule))
        .map((rule) => this.#found(/\boldSelf\b/.test(rule) ? 'immutable-added' : 'rule-added', path, rule)),
      ...[...old].filter((rule) => !now.has(rule)).map((rule) => this.#found('rule-removed', path, rule)),
    ];
  }

  #merging(before: StructuralSchema, after: StructuralSchema, path: string): readonly Finding[] {
    const listType = (schema: StructuralSchema): string => schema['x-kubernetes-list-type'] ?? 'atomic';
    const keys = (schema: StructuralSchema): readonly string[] => schema['x-kubernetes-list-map-keys'] ?? [];
    const mapType = (schema: StructuralSchema): string => schema['x-kubernetes-map-type'] ?? 'granular';
    const keeps = (schema: StructuralSchema): boolean => schema['x-kubernetes-preserve-unknown-fields'] === true;
    return [
      ...(before.type === 'array' && (listType(before) !== listType(after) || !equalJson(keys(before), keys(after)))
        ? [
            this.#found(
              'list-type-changed',
              path,
              `${[listType(before), ...keys(before)].join(' ')} → ${[listType(after), ...keys(after)].join(' ')}`,
            ),
          ]
        : []),
      ...(before.type === 'object' && mapType(before) !== mapType(after)
        ? [this.#found('map-type-changed', path, `${mapType(before)} → ${mapType(after)}`)]
        : []),
      ...(keeps(before) && !keeps(after)
        ? [this.#found('unknown-fields-dropped', path, 'x-kubernetes-preserve-unknown-fields: true → none')]
        : []),
    ];
  }

  #fields(before: StructuralSchema, after: StructuralSchema, path: string): readonly Finding[] {
    const [old, now] = [before.properties ?? {}, after.properties ?? {}];
    const [wasRequired, isRequired] = [new Set(before.required), new Set(after.required)];
    const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
    const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
    return names.flatMap((name) => {
      const [previous, next] = [old[name], now[name]];
      if (next === undefined)
        return after['x-kubernetes-preserve-unknown-fields'] === true
          ? []
          : [this.#found('field-removed', at(name), 'is no longer in the schema')];
      const required = this.#required(wasRequired.has(name), isRequired.has(name), next, at(name));
      if (previous === undefined) return [this.#found('field-added', at(name), typeOf(next)), ...required];
      return [...required, ...this.between(previous, next, at(name))];
    });
  }

  /** A default fills the field in before it is asked for. */
  #required(was: boolean, is: boolean, schema: StructuralSchema, path: string): readonly Finding[] {
    if (was === is) return [];
    if (!is) return [this.#found('required-removed', path, 'need not be given')];
    return schema.default === undefined ? [this.#found('required-added', path, 'must be given, and has no default')] : [];
  }

  #elements(before: StructuralSchema, after: StructuralSchema, path: string): readonly Finding[] {
    const [old, now] = [before.additionalProperties, after.additionalProperties];
    const isOpen = (value: typeof old): boolean => value !== undefined && value !== false;
    return [
      ...(before.items !== undefined && after.items !== undefined ? this.between(before.items, after.items, `${path}[]`) : []),
      ...(typeof old === 'object' && typeof now === 'object' ? this.between(old, now, `${path}.<key>`) : []),
      ...(isOpen(old) && !isOpen(now) ? [this.#found('unknown-fields-dropped', path, 'is no longer a map: its keys are dropped')] : []),
    ];
  }
}

const UPPER = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const;
const LOWER = ['minimum', 'minLength', 'minItems', 'minProperties'] as const;

function typeOf(schema: StructuralSchema): string {
  return schema['x-kubernetes-int-or-string'] === true ? 'integer or string' : (schema.type ?? 'any');
}
