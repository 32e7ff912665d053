/** The commands of `keelson`. The way in is `runCommandLine`; each command is loaded when it is called. */
export { runCommandLine } from './command-line.js';
export {
  type AliasDeclaration,
  arrayOf,
  type Declaration,
  emitModule,
  type ImportDeclaration,
  type InterfaceDeclaration,
  type KindDeclaration,
  type ModuleDeclaration,
  type PropertyDeclaration,
  propertyName,
  quote,
} from './generate/index.js';
export { type ImportedModule, type ImportOptions, type ImportResult, importKinds } from './import/index.js';
export type { Terminal } from './terminal.js';
