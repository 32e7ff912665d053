/** `keelson import`: writes typed kinds for the CustomResourceDefinitions of other projects. */
export { type CrdDocument, type CrdDocuments, crdDocuments, type JsonObject, type Source } from './crd-documents.js';
export { runImport } from './import-command.js';
export { IMPORT_MARKER, type ImportedModule, type ImportOptions, type ImportResult, importKinds } from './import-kinds.js';
