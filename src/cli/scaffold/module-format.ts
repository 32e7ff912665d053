/** How Node loads the files of a project: `esm` as ES modules, `commonjs` by `require`. The sources are the same but for the entry point. */
export type ModuleFormat = 'esm' | 'commonjs';
