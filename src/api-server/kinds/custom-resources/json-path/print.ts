import { goJson, goNumber, type Json } from '@keelson/kubernetes/apimachinery';

/** A value as Go prints it into a text: maps and lists as JSON. */
export function printed(value: Json): string {
  if (value === null) return '<no value>';
  if (typeof value === 'object') return goJson(value);
  return typeof value === 'number' ? goNumber(value) : String(value);
}
