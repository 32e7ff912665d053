import type { Parts, Reference, Template } from './template.js';

const keys = new WeakMap<Template, string>();
const numbers = new Map<string, number>();

/** Equal for templates that write the same. */
export function templateKey(template: Template): string {
  const known = keys.get(template);
  if (known !== undefined) return known;
  const shallow = shallowKey(template);
  const number = numbers.get(shallow) ?? numbers.size;
  numbers.set(shallow, number);
  const key = `#${number}`;
  keys.set(template, key);
  return key;
}

/** A text with places, readable: `{values.region}`. */
export function placeText(parts: Parts): string {
  return parts.map((part) => (typeof part === 'string' ? part : `{${referenceText(part)}}`)).join('');
}

function shallowKey(template: Template): string {
  switch (template.type) {
    case 'absent':
      return 'absent';
    case 'literal':
      return `literal ${JSON.stringify(template.value)}`;
    case 'text':
      return `text ${placeText(template.parts)}`;
    case 'value':
      return `value ${referenceText(template.reference)}`;
    case 'map': {
      const entries = [...template.entries].map(([key, entry]) => `${JSON.stringify(key)}${templateKey(entry)}`).sort();
      return `map ${entries.join()} ${template.spreads.map(({ name }) => name).join()}`;
    }
    case 'list':
      return `list ${template.items.map(templateKey).join()}`;
    case 'spread':
      return `spread ${template.leaf.name} ${template.isSorted}`;
    case 'range':
      return `range ${template.leaf.name} ${template.isSorted} ${template.items.map(templateKey).join()}`;
    case 'switch':
      return `switch ${template.variable.leaf.name} ${template.cases.map(({ states, template: inner }) => `${states.join(' ')}${templateKey(inner)}`).join()}`;
  }
}

function referenceText(reference: Reference): string {
  switch (reference.from) {
    case 'value':
      return `values.${reference.leaf.name}`;
    case 'fact':
      return `release.${reference.fact}`;
    case 'item':
      return `item${'item' in reference ? JSON.stringify((reference.item as { readonly index: number }).index) : ''}.${reference.path.join('.')}`;
    case 'joined':
      return `values.${reference.leaf.name}.join(${reference.separator} ${reference.isSorted})`;
  }
}
