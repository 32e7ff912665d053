import type { Json } from '@keelson/kubernetes/apimachinery';
import { isSettings } from './controller/index.js';
import type { OperatorModel, SettingField } from './model.js';
import { usesIn } from './uses-of.js';

/** One setting of an operator, for manifests, charts and documentation. */
export interface Setting extends SettingField {
  /** Name of its `settings(...)` under `uses`, where the operator's parts name them first: `config`. */
  readonly group: string;
  /** Whether there is a default, also where it is a secret and not shown. */
  readonly hasDefault: boolean;
}

/**
 * Lists the settings of an operator: those that its controllers, webhooks, checks, endpoints and tasks use, each once, in the order of their declarations.
 *
 * Secrets come without their default, since lists of settings are shown.
 *
 * @example
 * ```ts
 * const values = Object.fromEntries(settingsOf(operator).map(({ name, byDefault = null }) => [name, byDefault]));
 * ```
 */
export function settingsOf(operator: OperatorModel): readonly Setting[] {
  const groups = new Map<string, readonly SettingField[]>();
  const known = new Set<unknown>();
  for (const { name, use } of usesIn(operator)) {
    // Two names may mean one `settings(...)`.
    if (!isSettings(use) || known.has(use.fields)) continue;
    known.add(use.fields);
    groups.set(name, use.fields);
  }
  return Object.freeze(
    [...groups].flatMap(([group, fields]) =>
      fields.map((field) => Object.freeze({ group, hasDefault: field.byDefault !== undefined, ...shownField(field) })),
    ),
  );
}

function shownField({ byDefault, ...field }: SettingField): SettingField {
  return field.isSecret || byDefault === undefined ? field : { ...field, byDefault };
}

const HEAD = ['variable', 'setting', 'type', 'default', 'description'];

/**
 * Prints the settings of an operator as a Markdown table, for its README. The text ends without a line break; without settings it is empty.
 *
 * @example
 * ```ts
 * console.log(settingsTable(operator));
 * ```
 */
export function settingsTable(operator: OperatorModel): string {
  const rows = settingsOf(operator).map((setting) => [
    `\`${setting.variable}\``,
    `\`${setting.name}\``,
    typeOf(setting),
    defaultOf(setting),
    cell(setting.description ?? ''),
  ]);
  if (rows.length === 0) return '';
  return [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function typeOf({ type, choices, isSecret }: Setting): string {
  const shown = choices === undefined ? type : choices.map(code).join(', ');
  return isSecret ? `${shown}, secret` : shown;
}

function defaultOf({ byDefault, hasDefault, isRequired, type }: Setting): string {
  if (isRequired) return 'must be given';
  if (byDefault === undefined) return hasDefault ? 'not shown' : 'none';
  return code(type === 'json' ? JSON.stringify(byDefault) : String(byDefault satisfies Json));
}

/** A text may hold backticks itself: the fence is longer than the longest run of them. */
function code(text: string): string {
  if (text === '') return '`""`';
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = longest > 0 ? ' ' : '';
  return cell(`${fence}${space}${text}${space}${fence}`);
}

/** Cells end at a pipe, rows at a line break. */
function cell(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|');
}
