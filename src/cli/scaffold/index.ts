/** The files that `keelson init` and `keelson create` write, as pure text, and how they reach the disk. The way in is {@link projectFiles}. */

export { controllerFile, controllerTestFile } from './controller-file.js';
export { importLines } from './import-lines.js';
export { kindFile } from './kind-file.js';
export { camelCase, kindNames } from './kind-names.js';
export { kindTestFile } from './kind-test-file.js';
export { groupProblem, kindProblem, projectNameProblem, versionProblem } from './name-problems.js';
export type { Project } from './project.js';
export { projectFiles } from './project-files.js';
export type { TestRunner } from './test-runner.js';
export { webhookFile, webhookTestFile } from './webhook-file.js';
export { type ProjectFile, writeNewFiles } from './write-files.js';
