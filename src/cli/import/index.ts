/** `keelson import`: writes typed kinds for the CustomResourceDefinitions of other projects. */
export {
  type CrdDocument,
  type CrdDocuments,
  type CrdReading,
  crdDocuments,
  type JsonObject,
  kindOf,
  type Source,
} from './crd-documents.js';
export { type CustomKind, servedKinds } from './custom-kind.js';
export { runImport } from './import-command.js';
export { IMPORT_MARKER, type ImportedModule, type ImportOptions, type ImportResult, importKinds } from './import-kinds.js';
