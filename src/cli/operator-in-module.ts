import type { OperatorError } from '@keelson/kubernetes/apimachinery';
import type { OperatorModel } from 'keelson/internal/definition';

/** The one operator among the exports of a module. @throws Refusal for none, and for several */
export function operatorIn(exports: object, path: string, Refusal: new (message: string) => OperatorError): OperatorModel {
  const found = new Map(Object.entries(exports).flatMap(([name, value]) => (isOperator(value) ? [[value, name] as const] : [])));
  const [operator, ...others] = found.keys();
  if (operator === undefined) throw new Refusal(`${path}: it exports no operator; write: export const operator = defineOperator({ ... })`);
  if (others.length > 0)
    throw new Refusal(`${path}: it exports several operators (${[...found.values()].join(', ')}); give a module that exports one`);
  return operator;
}

function isOperator(value: unknown): value is OperatorModel {
  if (typeof value !== 'object' || value === null) return false;
  const { name, controllers, customResources, webhooks } = value as Partial<Record<keyof OperatorModel, unknown>>;
  return typeof name === 'string' && [controllers, customResources, webhooks].every(Array.isArray);
}
