import type {
  AliasDeclaration,
  Declaration,
  ImportDeclaration,
  InterfaceDeclaration,
  KindDeclaration,
  ModuleDeclaration,
  PropertyDeclaration,
} from './module-model.js';

/** Writes a module as TypeScript. The same declarations give the same bytes: nothing here depends on time, place or locale. */
export function emitModule(module: ModuleDeclaration): string {
  const head = [`// ${module.marker}`, ...(module.documentation === undefined ? [] : comment(module.documentation, ''))];
  const imports = module.imports.map(emitImport).filter((line) => line !== '');
  const blocks = module.declarations.map((declaration) => emitDeclaration(declaration).join('\n'));
  return `${[[...head, ...imports].join('\n'), ...blocks].join('\n\n')}\n`;
}

/** A string as a TypeScript literal in single quotes. */
export function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

/** A property name: quoted where it is not an identifier. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : quote(name);
}

/** A readonly array type; a union or an array is put into parentheses. */
export function arrayOf(type: string): string {
  return type.includes(' | ') || type.startsWith('readonly ') ? `readonly (${type})[]` : `readonly ${type}[]`;
}

function emitImport({ from, values = [], types = [] }: ImportDeclaration): string {
  if (values.length === 0 && types.length === 0) return '';
  if (values.length === 0) return `import type { ${[...types].sort().join(', ')} } from ${quote(from)};`;
  const names = [...[...values].sort(), ...[...types].sort().map((name) => `type ${name}`)];
  return `import { ${names.join(', ')} } from ${quote(from)};`;
}

function emitDeclaration(declaration: Declaration): string[] {
  switch (declaration.is) {
    case 'interface':
      return emitInterface(declaration);
    case 'alias':
      return emitAlias(declaration);
    case 'kind':
      return emitKind(declaration);
  }
}

function emitInterface({ name, properties, indexType, documentation }: InterfaceDeclaration): string[] {
  const index = indexType === undefined ? [] : [`  readonly [field: string]: ${indexType};`];
  return [...comment(documentation, ''), `export interface ${name} {`, ...properties.flatMap(emitProperty), ...index, '}'];
}

/** Readonly, as all of an object is: caches share the parts of objects, and freeze them. */
function emitProperty({ name, type, required, documentation }: PropertyDeclaration): string[] {
  const key = `readonly ${propertyName(name)}`;
  // `| undefined`: what zod infers for an optional field carries it, and would not fit `foo?: T` under exactOptionalPropertyTypes.
  const optional = type === 'unknown' ? type : `${type} | undefined`;
  return [...comment(documentation, '  '), required ? `  ${key}: ${type};` : `  ${key}?: ${optional};`];
}

function emitAlias({ name, type, documentation }: AliasDeclaration): string[] {
  return [...comment(documentation, ''), `export type ${name} = ${type};`];
}

function emitKind(declaration: KindDeclaration): string[] {
  const { name, input, group, version, kind, plural, scope, subresources } = declaration;
  const facts = [
    `group: ${quote(group)}`,
    `version: ${quote(version)}`,
    `kind: ${quote(kind)}`,
    `plural: ${quote(plural)}`,
    `scope: ${quote(scope)}`,
  ];
  if (subresources.length > 0) facts.push(`subresources: [${subresources.map(quote).join(', ')}]`);
  const types = [name, quote(scope), ...(input === undefined ? [] : [input])].join(', ');
  return [
    ...comment(declaration.documentation, ''),
    `export const ${name}: Kind<${types}> = /* @__PURE__ */ defineKind({ ${facts.join(', ')} });`,
  ];
}

function comment(text: string | undefined, indent: string): string[] {
  if (text === undefined || text.trim() === '') return [];
  // A description must not be able to end the comment that carries it.
  const lines = text
    .trim()
    .replaceAll('*/', '*\\/')
    .split(/\r?\n/)
    .map((line) => line.trimEnd());
  if (lines.length === 1) return [`${indent}/** ${lines[0]} */`];
  return [`${indent}/**`, ...lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}`), `${indent} */`];
}
