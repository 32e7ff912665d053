import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript-5.9';

/** A function or class that users import from a door, with the examples of its docstring. */
export interface PublicFunction {
  readonly door: string;
  readonly name: string;
  readonly file: string;
  readonly examples: readonly { readonly text: string; readonly line: number }[];
}

/** The doors as users name them, and their files. `keelson/kinds/*` is generated and has no functions of its own. */
export const DOORS: ReadonlyMap<string, string> = new Map([
  ['keelson', 'src/keelson/index.ts'],
  ['keelson/certificates', 'src/kubernetes/certificates/index.ts'],
  ['keelson/constructs', 'src/keelson/constructs/index.ts'],
  ['keelson/packaging', 'src/keelson/packaging/index.ts'],
  ['@keelson/runtime', 'src/runtime/index.ts'],
  ['@keelson/api-server', 'src/api-server/index.ts'],
  ['@keelson/testing', 'src/testing/index.ts'],
  ['keelson/kinds', 'src/kubernetes/kinds/index.ts'],
]);

/** Reads the exports of modules from their syntax: only files of this package are loaded, so it takes about a second. */
export class ModuleExports {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;

  constructor(files: readonly string[]) {
    const options: ts.CompilerOptions = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, noLib: true, types: [] };
    const host = ts.createCompilerHost(options);
    host.resolveModuleNameLiterals = (literals, containing) =>
      literals.map(({ text }) => {
        const file = text.startsWith('.') ? join(dirname(containing), text).replace(/\.js$/, '.ts') : DOORS.get(text);
        return { resolvedModule: file === undefined ? undefined : { resolvedFileName: file, extension: ts.Extension.Ts } };
      });
    this.#program = ts.createProgram(files, options, host);
    this.#checker = this.#program.getTypeChecker();
  }

  /** Names of all exports: types too. */
  namesOf(file: string): readonly string[] {
    return this.#exportsOf(file).map(({ name }) => name);
  }

  /** Functions, classes and constants that can be called. Members of an exported module are named `k.int32`. */
  functionsOf(door: string, file: string): readonly PublicFunction[] {
    return this.#exportsOf(file).flatMap((symbol) => this.#functionsIn(door, symbol, symbol.name));
  }

  #exportsOf(file: string): ts.Symbol[] {
    const source = this.#program.getSourceFile(file);
    const symbol = source && this.#checker.getSymbolAtLocation(source);
    if (symbol === undefined) throw new Error(`${file} is not a module`);
    return this.#checker.getExportsOfModule(symbol);
  }

  #functionsIn(door: string, exported: ts.Symbol, name: string): PublicFunction[] {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(exported) : exported;
    if (symbol.flags & ts.SymbolFlags.ValueModule)
      return this.#checker.getExportsOfModule(symbol).flatMap((member) => this.#functionsIn(door, member, `${name}.${member.name}`));
    const declarations = (symbol.declarations ?? []).filter(isCode);
    const [first] = declarations;
    if (first === undefined) return [];
    const file = relative(process.cwd(), first.getSourceFile().fileName);
    return file.startsWith('imports/') ? [] : [{ door, name, file, examples: declarations.flatMap(examplesOf) }];
  }
}

function isCode(declaration: ts.Declaration): boolean {
  return ts.isFunctionDeclaration(declaration) || ts.isClassDeclaration(declaration) || ts.isVariableDeclaration(declaration);
}

/** The fenced `ts` blocks behind `@example`, without the stars of the comment. */
function examplesOf(declaration: ts.Declaration): readonly { text: string; line: number }[] {
  const source = declaration.getSourceFile();
  return ts.getJSDocTags(declaration).flatMap((tag) => {
    if (tag.tagName.text !== 'example') return [];
    const start = source.getLineAndCharacterOfPosition(tag.getStart(source)).line;
    const end = source.getLineAndCharacterOfPosition(tag.end).line;
    const lines = readFileSync(source.fileName, 'utf8')
      .split('\n')
      .slice(start, end + 1)
      .map((line) => line.replace(/^\s*\* ?/, ''));
    const opening = lines.indexOf('```ts');
    const closing = lines.indexOf('```', opening + 1);
    if (opening < 0 || closing < 0) return [];
    return [{ text: lines.slice(opening + 1, closing).join('\n'), line: start + opening + 2 }];
  });
}
