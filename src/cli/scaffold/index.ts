/** The files that `keelson init` and `keelson create` write, as pure text, and how they reach the disk. The way in is {@link projectFiles}. */

export { controllerFile, controllerTestFile } from './controller-file.js';
export { type ForeignKind, foreignControllerFile, foreignControllerTestFile } from './foreign-controller-file.js';
export { importLines } from './import-lines.js';
export { type KeelsonPackages, packagesAt, packagesIn } from './keelson-packages.js';
export { kindFile } from './kind-file.js';
export { camelCase, type KindNames, kindNames } from './kind-names.js';
export { kindTestFile } from './kind-test-file.js';
export { localNames } from './local-names.js';
export type { ModuleFormat } from './module-format.js';
export { groupProblem, kindProblem, projectNameProblem, versionProblem } from './name-problems.js';
export type { Project, ProjectSettings } from './project.js';
export { projectFiles, surroundings } from './project-files.js';
export { readme } from './readme.js';
export { TEST_MODULES, type TestRunner } from './test-runner.js';
export { versionFile, versionTestFile, versionVariables } from './version-file.js';
export { webhookFile, webhookTestFile } from './webhook-file.js';
export { type ProjectFile, writeNewFiles } from './write-files.js';
