import { parseGoUint } from '@keelson/kubernetes/apimachinery';
import type { JsonObject } from '../../contract/index.js';
import { badRequest } from '../../status/index.js';

/** How a field of the options is written in the query. */
type Field = 'flag' | 'text' | 'texts' | 'numbers';

const STREAMS = { stdin: 'flag', stdout: 'flag', stderr: 'flag', tty: 'flag', container: 'text' } as const;
const PROXY = { path: 'text' } as const;
/** By the kind of the subresource. Source: api `core/v1/types.go`. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  PodAttachOptions: STREAMS,
  PodExecOptions: { ...STREAMS, command: 'texts' },
  PodPortForwardOptions: { ports: 'numbers' },
  PodProxyOptions: PROXY,
  ServiceProxyOptions: PROXY,
  NodeProxyOptions: PROXY,
};

/**
 * The options of a connection, as the object that admission sees. Fields that are not set are left out.
 * @throws StatusError 400 for ports that are not numbers
 */
export function connectOptions(kind: string, query: URLSearchParams): JsonObject {
  const fields = Object.entries(FIELDS[kind] ?? {}).flatMap(([name, field]): readonly [string, JsonObject[string]][] => {
    const value = fieldValue(field, query.getAll(name));
    return value === undefined ? [] : [[name, value]];
  });
  return { kind, apiVersion: 'v1', ...Object.fromEntries(fields) };
}

function fieldValue(field: Field, given: readonly string[]): JsonObject[string] | undefined {
  const [first] = given;
  if (first === undefined) return undefined;
  if (field === 'texts') return [...given];
  if (field === 'text') return first === '' ? undefined : first;
  if (field === 'numbers') return given.flatMap((text) => text.split(',')).map(portOf);
  // Source: `Convert_Slice_string_To_bool` in apimachinery `pkg/runtime/conversion.go`.
  return ['', 'false', '0'].includes(first.toLowerCase()) ? undefined : true;
}

/** Source: `Convert_Slice_string_To_Slice_int32` in apimachinery `pkg/runtime/conversion.go`: 16 bits are read, though 32 are kept. */
function portOf(text: string): number {
  const port = parseGoUint(text, 16);
  if (typeof port === 'string') throw badRequest(`cannot convert to []int32: ${port}`);
  return Number(port);
}
