import { type Implementation, OPERATORS } from '../values/index.js';
import { CONVERSIONS } from './functions-convert.js';
import { KUBERNETES_FUNCTIONS } from './functions-kubernetes.js';
import { LIST_FUNCTIONS } from './functions-list.js';
import { NETWORK_FUNCTIONS } from './functions-network.js';
import { STRING_FUNCTIONS } from './functions-string.js';
import { TIME_FUNCTIONS } from './functions-time.js';

/** Tables by subject; a name may stand in several (`string`, `indexOf`), the first whose overload fits answers. */
const TABLES: readonly Readonly<Record<string, Implementation>>[] = [
  OPERATORS,
  STRING_FUNCTIONS,
  LIST_FUNCTIONS,
  CONVERSIONS,
  TIME_FUNCTIONS,
  KUBERNETES_FUNCTIONS,
  NETWORK_FUNCTIONS,
];

/** The implementation of a function; `undefined` if it is declared for typing only (the authorizer). */
export function implementationOf(name: string): Implementation | undefined {
  const found = TABLES.flatMap((table) => (Object.hasOwn(table, name) ? [table[name] as Implementation] : []));
  if (found.length <= 1) return found[0];
  return (args) => {
    for (const implementation of found) {
      const result = implementation(args);
      if (result !== undefined) return result;
    }
    return undefined;
  };
}
