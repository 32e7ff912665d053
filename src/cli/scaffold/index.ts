/** The files that `keelson init` and `keelson create` write, as pure text, and how they reach the disk. The way in is {@link projectFiles}. */

export { type KindNames, kindNames } from './kind-names.js';
export { groupProblem, kindProblem, projectNameProblem, versionProblem } from './name-problems.js';
export type { Project } from './project.js';
export { projectFiles } from './project-files.js';
export type { TestRunner } from './test-runner.js';
export { type ProjectFile, writeNewFiles } from './write-files.js';
