/** The rights of an operator, derived from its definition, each with its reason. The way in is `permissionsOf`. */
export type { CertificatePermissions, Grant, Permissions, PermissionsOptions, Placement } from './grant.js';
export { mergeRules } from './merge-rules.js';
export { permissionsOf } from './permissions-of.js';
export { permissionsTable } from './permissions-table.js';
