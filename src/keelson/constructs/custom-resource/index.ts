/** A custom resource in a chart: its CRD, its objects, the roles that its users get. Way in: {@link CustomResourceDefinition}. */
export { AggregatedRoles, type AggregatedRolesProps } from './aggregated-roles.js';
export { CustomResource, type CustomResourceProps, type DefinitionOf } from './custom-resource.js';
export { CustomResourceDefinition, type CustomResourceDefinitionProps } from './custom-resource-definition.js';
export { UserRoles, type UserRolesProps } from './user-roles.js';
export type { AggregatedRole } from './user-rules.js';
