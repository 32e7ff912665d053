/** One object of a chart, written faithfully, and the ground that every construct stands on: errors, warnings, names. Way in: {@link ManifestObject}. */
export { addTo, appRegistry } from './app-registry.js';
export { isName, refuseLazy, serviceAccountName } from './checked-name.js';
export { joinCharts, setCluster } from './cluster.js';
export { ConstructError } from './construct-error.js';
export { addWarning, type ConstructWarning, SHOWN_WARNINGS_CONTEXT, WARNING_METADATA, warningsOf } from './construct-warnings.js';
export { isClusterScoped } from './duplicate-objects.js';
export { labelProblems, ManifestObject, type ManifestObjectProps } from './manifest-object.js';
