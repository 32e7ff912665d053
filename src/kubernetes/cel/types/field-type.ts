import { type CelType, DYN, ERROR, formatType } from './type.js';

/** The type of `target.field`, and what is wrong with it. */
export function fieldTypeOf(target: CelType, field: string): { readonly type: CelType; readonly problem?: string } {
  switch (target.kind) {
    case 'map':
      return { type: target.value };
    case 'object': {
      // A keyword may be written plainly since 1.33 (`self.namespace`), beside its escaped form.
      const type = target.fields.get(field) ?? target.fields.get(`__${field}__`);
      if (type !== undefined) return { type };
      return target.isOpen === true ? { type: DYN } : { type: ERROR, problem: `undefined field '${field}'` };
    }
    case 'opaque':
      // Kubernetes' own types are messages without fields to cel-go, `net.IP` and optionals are not.
      return target.name.startsWith('kubernetes.')
        ? { type: ERROR, problem: `unexpected failed resolution of '${formatType(target)}'` }
        : { type: ERROR, problem: unsupported(target) };
    case 'dyn':
    case 'error':
    case 'parameter':
      return { type: DYN };
    default:
      return { type: DYN, problem: unsupported(target) };
  }
}

function unsupported(target: CelType): string {
  return `type '${formatType(target)}' does not support field selection`;
}
