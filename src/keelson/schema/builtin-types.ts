// A type only: the schemas themselves are loaded where a CRD is made.
// oxlint-disable-next-line places/layer -- k.builtin() is typed by the generated interfaces; nothing of imports/ is loaded at run time
export type { BuiltinTypes } from '@keelson/kubernetes/kinds';
