import type { Json } from '@keelson/kubernetes/apimachinery';
import { stringify } from 'yaml';
import { escapeHelmTemplate } from '../../constructs/index.js';
import type { PackageFact } from '../package/index.js';
import { ABSENT, type MapTemplate, type Parts, type Reference, type SwitchCase, type Template } from '../template/index.js';
import { conditionText, GoExpressions, goString } from './go-expression.js';

/**
 * A template of one file, as Helm reads it: YAML in block style, with actions on lines of their own.
 *
 * Values are quoted by Helm (`quote`, `toJson`, `toYaml`), so that no text of an administrator can break the YAML. Literal `{{` are escaped.
 */
export function templateText(template: Template, facts: readonly PackageFact[]): string {
  const lines = new TemplateWriter(new GoExpressions(facts)).object(template);
  return `${lines.join('\n')}\n`;
}

class TemplateWriter {
  readonly #say: GoExpressions;

  constructor(say: GoExpressions) {
    this.#say = say;
  }

  object(template: Template): string[] {
    if (template.type === 'switch') return this.#cases(template, '', (inner) => this.object(inner));
    if (template.type === 'range') {
      const inner = new TemplateWriter(this.#say.within());
      return [
        `{{- range $item := ${this.#say.list(template.leaf, template.isSorted)} }}`,
        ...template.items.flatMap((item) => ['---', ...inner.object(item)]),
        '{{- end }}',
      ];
    }
    return this.#block(template.type === 'map' ? headFirst(template) : template, '');
  }

  /** The lines of a map or list, at an indentation. */
  #block(template: Template, indent: string): string[] {
    switch (template.type) {
      case 'map':
        return [
          ...template.spreads.flatMap((leaf) => this.#spread(template, this.#say.value(leaf), indent)),
          ...[...template.entries].flatMap(([key, entry]) => this.#entry(this.#key(key, template), entry, indent)),
        ];
      case 'list':
        return template.items.flatMap((item) => this.#item(item, indent));
      case 'literal':
        return literalLines(template.value, indent);
      default:
        throw new TypeError(`no block: ${template.type}`);
    }
  }

  /** Fields of a map that an administrator gives. One that is there already would be in the YAML twice. */
  #spread({ entries }: MapTemplate, value: string, indent: string): string[] {
    const keys = [...entries.keys()].map(goString).join(' ');
    const name = value.replace(/^\$?\.Values\./, '');
    const guard =
      keys === ''
        ? []
        : [
            `${indent}{{- range $key := list ${keys} }}`,
            `${indent}{{- if hasKey ${value.replace(/^\./, '$.')} $key }}{{ fail (printf ${goString(`${name}: %s is written by the chart; choose another key`)} $key) }}{{ end }}`,
            `${indent}{{- end }}`,
          ];
    return [`${indent}{{- if ${value} }}`, ...guard, `${indent}{{- toYaml ${value} | nindent ${indent.length} }}`, `${indent}{{- end }}`];
  }

  /** A key as YAML has it: quoted where it has to be, an action where it has places. */
  #key(key: string, { names }: MapTemplate): string {
    const parts = names.get(key);
    return parts === undefined ? scalar(key) : `{{ ${this.#quoted(parts)} }}`;
  }

  #entry(key: string, entry: Template, indent: string): string[] {
    const name = `${indent}${key}:`;
    switch (entry.type) {
      case 'absent':
        return [];
      case 'switch':
        return this.#cases(entry, indent, (inner) => this.#entry(key, inner, indent));
      case 'map':
        return [name, ...this.#block(entry, `${indent}  `)];
      case 'list':
        return [name, ...this.#block(entry, `${indent}  `)];
      case 'literal':
        return isBlock(entry.value) ? [name, ...literalLines(entry.value, `${indent}  `)] : literalEntry(name, entry.value, indent);
      case 'value': {
        const { reference } = entry;
        if (reference.from === 'value' && (reference.leaf.type === 'map' || reference.leaf.type === 'list'))
          return [name, `${indent}  {{- toYaml ${this.#say.value(reference.leaf)} | nindent ${indent.length + 2} }}`];
        return [`${name} ${this.#scalar(entry)}`];
      }
      default:
        return [`${name} ${this.#scalar(entry)}`];
    }
  }

  #item(item: Template, indent: string): string[] {
    switch (item.type) {
      case 'absent':
        return [];
      case 'switch':
        return this.#cases(item, indent, (inner) => this.#item(inner, indent));
      case 'spread': {
        const list = this.#say.list(item.leaf, item.isSorted);
        return [`${indent}{{- with ${list} }}`, `${indent}{{- toYaml . | nindent ${indent.length} }}`, `${indent}{{- end }}`];
      }
      case 'range': {
        const inner = new TemplateWriter(this.#say.within());
        return [
          `${indent}{{- range $item := ${this.#say.list(item.leaf, item.isSorted)} }}`,
          ...item.items.flatMap((each) => inner.#item(each, indent)),
          `${indent}{{- end }}`,
        ];
      }
      case 'map':
      case 'list': {
        const lines = this.#block(item, `${indent}  `);
        const [first = ''] = lines;
        // An action cannot stand behind the dash: its line goes away.
        return first.trimStart().startsWith('{{')
          ? [`${indent}-`, ...lines]
          : [`${indent}- ${first.slice(indent.length + 2)}`, ...lines.slice(1)];
      }
      case 'literal':
        return literalLines([item.value], indent);
      default:
        return [`${indent}- ${this.#scalar(item)}`];
    }
  }

  #scalar(template: Template): string {
    if (template.type === 'text') return `{{ ${this.#quoted(template.parts)} }}`;
    if (template.type === 'value') return `{{ ${this.#say.json(template.reference)} }}`;
    throw new TypeError(`no scalar: ${template.type}`);
  }

  #quoted(parts: Parts): string {
    const [only] = parts;
    if (parts.length === 1 && typeof only === 'object') {
      const text = this.#say.text(only);
      return `${text} | quote`;
    }
    return `${this.printed(parts)} | quote`;
  }

  /** An expression that prints texts and values one after the other. */
  printed(parts: Parts): string {
    const format = parts.map((part) => (typeof part === 'string' ? part.replaceAll('%', '%%') : isInteger(part) ? '%d' : '%s')).join('');
    const values = parts.flatMap((part) => (typeof part === 'string' ? [] : [argument(this.#say.text(part), part)]));
    return values.length === 0 ? goString(parts.join('')) : `printf ${goString(format)} ${values.join(' ')}`;
  }

  #cases({ variable, cases }: Extract<Template, { type: 'switch' }>, indent: string, write: (template: Template) => string[]): string[] {
    const condition = ({ states }: SwitchCase): string => conditionText(variable, states, this.#say);
    const written = cases.filter(({ template }) => template !== ABSENT && template.type !== 'absent');
    const covered = written.length === cases.length;
    const ordered = [...written].sort((left, right) => left.states.length - right.states.length);
    const lines = ordered.flatMap((one, index) => {
      const isLast = covered && index === ordered.length - 1;
      const head = isLast ? 'else' : `${index === 0 ? 'if' : 'else if'} ${condition(one)}`;
      return [`${indent}{{- ${head} }}`, ...write(one.template)];
    });
    return [...lines, `${indent}{{- end }}`];
  }
}

const HEAD = ['apiVersion', 'kind', 'metadata'];

/** An object begins with the fields that say which it is. */
function headFirst(template: MapTemplate): MapTemplate {
  const place = (key: string): number => (HEAD.includes(key) ? HEAD.indexOf(key) : HEAD.length);
  return { ...template, entries: new Map([...template.entries].sort(([left], [right]) => place(left) - place(right))) };
}

function isInteger(reference: Reference): boolean {
  return reference.from === 'value' && reference.leaf.type === 'integer';
}

function argument(expression: string, reference: Reference): string {
  const text =
    isInteger(reference) || reference.from !== 'value' || reference.leaf.type !== 'choice' ? expression : `toString ${expression}`;
  return text.includes(' ') ? `(${text})` : text;
}

function isBlock(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** Helm reads YAML 1.1, where `on` is true. */
const YAML_OPTIONS = { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false } as const;

function literalLines(value: Json, indent: string): string[] {
  return escapeHelmTemplate(stringify(value, YAML_OPTIONS))
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => (line === '' ? line : `${indent}${line}`));
}

/** A field with a scalar, or with an empty map or list. */
function literalEntry(name: string, value: Json, indent: string): string[] {
  const [first = '', ...rest] = literalLines({ key: value }, indent);
  return [`${name}${first.slice(indent.length + 'key:'.length)}`, ...rest];
}

function scalar(key: string): string {
  return escapeHelmTemplate(stringify(key, YAML_OPTIONS).replace(/\n$/, ''));
}
