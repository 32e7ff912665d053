import { importLines } from './import-lines.js';
import type { KindNames } from './kind-names.js';
import { TEST_MODULES, type TestRunner } from './test-runner.js';

export interface VersionFile extends KindNames {
  /** The new version. */
  readonly version: string;
  /** The version that it is converted to and from, which is stored so far. */
  readonly other: string;
  readonly isStorage: boolean;
  /** `spec` and `status`, each as an expression: the same in both versions. */
  readonly parts: Readonly<Record<string, string>>;
  /** The version as an object literal, which takes the parts by name. */
  readonly object: string;
  /** The file that exports the kind, without its extension. */
  readonly kindModule: string;
  readonly runner: TestRunner;
  /** A made-up object as an object literal. */
  readonly sample: string;
}

/** Names of the exports: the version, and the conversion between it and the other one. */
export function versionVariables({
  variable,
  version,
  other,
  isStorage,
}: Pick<VersionFile, 'variable' | 'version' | 'other' | 'isStorage'>) {
  return { value: `${variable}${capital(version)}`, conversion: `${variable}${capital(isStorage ? other : version)}Conversion` };
}

/** One more version of a kind: its schema and the conversion. The definition takes both; they cannot take their types from it, which would be a circle. */
export function versionFile(options: VersionFile): string {
  const { kind, version, other, isStorage, parts, object, kindModule } = options;
  const { value, conversion } = versionVariables(options);
  const texts = Object.entries(parts);
  const schemas = texts.map(([, text]) => text).join('');
  const [away, stored] = isStorage ? [other, version] : [version, other];
  const libraries = { keelson: ['type DeepReadonly', ...(/\bk\./.test(object + schemas) ? ['k'] : [])], zod: ['z'] };
  return `${importLines(libraries)}
${texts.map(([part, text]) => `const ${part} = ${text};\n`).join('')}
/** ${version} of ${kind}. */
export const ${value} = ${object} as const;

// ${other} as ./${kindModule}.ts defines it: the conversion has its types from here. Change both together.
${texts.map(([part, text]) => `const ${part}Of${capital(other)} = ${text};\n`).join('')}
/** All of it that a conversion may change; left out, it stays. */
interface Metadata {
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

${[version, other].map((name) => sideOf(name, { parts, isOther: name === other })).join('\n')}
/** Pure functions, which lose nothing: a field that one version does not have belongs into an annotation. */
export const ${conversion} = {
  toStorage: ({ ${names(parts)} }: ${capital(away)}): ${capital(stored)} => ({ ${names(parts)} }),
  fromStorage: ({ ${names(parts)} }: ${capital(stored)}): ${capital(away)} => ({ ${names(parts)} }),
};
`;
}

function sideOf(version: string, { parts, isOther }: { readonly parts: VersionFile['parts']; readonly isOther: boolean }): string {
  const typeOf = (part: string): string => `DeepReadonly<z.output<typeof ${part}${isOther ? `Of${capital(version)}` : ''}>>`;
  const status = parts['status'] === undefined ? '' : `  readonly status?: ${typeOf('status')} | undefined;\n`;
  return `interface ${capital(version)} {
  readonly metadata?: Metadata | undefined;
  readonly spec: ${typeOf('spec')};
${status}}
`;
}

export function versionTestFile(options: VersionFile): string {
  const { kind, file, version, other, isStorage, sample, runner } = options;
  const { conversion } = versionVariables(options);
  const [away, stored] = isStorage ? [other, version] : [version, other];
  const imports = importLines({
    [TEST_MODULES[runner]]: ['expect', 'test'],
    [`./${file}-${version}.js`]: [conversion],
    './operator.js': ['operator'],
  });
  return `${imports}
const { toStorage, fromStorage } = ${conversion};

/** One object in both versions, which are the same so far. */
const in${capital(away)} = ${sample} as const;
const in${capital(stored)} = in${capital(away)};

test('is one object in both versions', () => {
  expect(toStorage(in${capital(away)})).toEqual(in${capital(stored)});
  expect(fromStorage(in${capital(stored)})).toEqual(in${capital(away)});
});

test('comes back as it was, both ways', () => {
  expect(fromStorage(toStorage(in${capital(away)}))).toEqual(in${capital(away)});
  expect(toStorage(fromStorage(in${capital(stored)}))).toEqual(in${capital(stored)});
});

// The operator sends made-up objects of each version to the other one and back when it is defined.
test('is a version of the kind', () => {
  const kind = operator.customResources.find((each) => each.kind === '${kind}');
  expect(kind?.versionList.map(({ name }) => name)).toContain('${version}');
  expect(kind?.storageVersion).toBe('${stored}');
});
`;
}

const capital = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
const names = (parts: VersionFile['parts']): string => Object.keys(parts).join(', ');
