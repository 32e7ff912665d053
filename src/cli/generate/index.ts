/** Writes TypeScript source text: modules, interfaces, literals. Shared by `keelson import` and the generators of `imports/`. */
export { arrayOf, emitModule, propertyName, quote } from './emit-module.js';
export type {
  AliasDeclaration,
  Declaration,
  ImportDeclaration,
  InterfaceDeclaration,
  KindDeclaration,
  ModuleDeclaration,
  PropertyDeclaration,
} from './module-model.js';
