import { compile, emptyWorkFolder, writeSource } from './page-project.js';
import { DOORS, ModuleExports, type PublicFunction } from './public-functions.js';

/** Names that every example may use: see there. */
const NAMES = 'test/docs/fixtures/example-names.ts';
const WORK = '.results/doc-examples';

const modules = new ModuleExports([...DOORS.values(), NAMES]);
const namesIn = new Map([...DOORS].map(([door, file]) => [door, new Set(modules.namesOf(file))]));
const exampleNames = new Set(modules.namesOf(NAMES));
/** A function of several doors once, with the first. */
const functions = [...DOORS]
  .flatMap(([door, file]) => modules.functionsOf(door, file))
  .filter((one, index, all) => index === all.findIndex(({ name, file }) => name === one.name && file === one.file));

/** Errors are caught, not made, save for those that a reconciler throws. Constants that are not called have nothing to show. */
const isCaught = ({ name }: PublicFunction) => name.endsWith('Error') && name !== 'TerminalError';
const NOT_CALLED = ['SHOWN_WARNINGS_CONTEXT', 'WARNING_METADATA'];

test('every function and class of a door has an example in its docstring', () => {
  const without = functions.filter((one) => one.examples.length === 0 && !isCaught(one) && !NOT_CALLED.includes(one.name));
  expect(without.map(({ door, name, file }) => `${door}: ${name} (${file})`)).toEqual([]);
});

test('every example compiles against the doors', () => {
  emptyWorkFolder(WORK);
  const files = functions.flatMap(({ door, name, file, examples }) =>
    examples.map(({ text, line }, index) => {
      const before = importsFor(door, text);
      const path = writeSource(`${WORK}/${door.replace('/', '-')}/${name}-${index}.ts`, `${before}\n${text}\nexport {};\n`);
      return { path, page: file, offset: line - before.split('\n').length - 1 };
    }),
  );
  expect(files.length).toBeGreaterThan(functions.length / 2);
  // Examples import no types apart, and need not use all they make.
  expect(compile(files, { work: WORK, options: { verbatimModuleSyntax: false } })).toEqual([]);
});

test('an example that uses a name that no door has does not compile', () => {
  const path = writeSource(`${WORK}/unknown.ts`, `${importsFor('keelson', 'defineOperater({});')}\ndefineOperater({});\n`);
  const errors = compile([{ path, page: 'unknown.ts', offset: -1 }], { work: `${WORK}/unknown` });
  expect(errors).toEqual([expect.stringMatching(/^unknown\.ts:1: .*Cannot find name 'defineOperater'/)]);
});

/** One import for each place of the names that the example uses and does not make: its own door first, then `keelson`, then the others. */
function importsFor(door: string, example: string): string {
  const made = new Set([...example.matchAll(/\b(?:const|let|function|class|interface|type)\s+(\w+)/g)].map(([, name = '']) => name));
  const imported = [...example.matchAll(/import (?:type )?\{([^}]*)\}/g)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []);
  const used = new Set(example.match(/(?<![.\w'])[A-Za-z]\w*/g) ?? []);
  const places = [door, ...DOORS.keys()];
  const wanted = new Map<string, string[]>();
  for (const name of used) {
    if (made.has(name) || imported.includes(name) || name in globalThis) continue;
    const place = exampleNames.has(name) ? NAMES : places.find((one) => namesIn.get(one)?.has(name));
    if (place !== undefined) wanted.set(place, [...(wanted.get(place) ?? []), name]);
  }
  return [...wanted]
    .map(
      ([place, names]) => `import { ${names.join(', ')} } from '${place === NAMES ? `../../../${NAMES.replace(/\.ts$/, '.js')}` : place}';`,
    )
    .join('\n');
}
