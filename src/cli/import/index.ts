/** `keelson import`: writes typed kinds for the CustomResourceDefinitions of other projects. */
export { IMPORT_USAGE, runImport } from './import-command.js';
export { IMPORT_MARKER, type ImportedModule, type ImportOptions, type ImportResult, importKinds } from './import-kinds.js';
