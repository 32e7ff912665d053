import { importLines } from './import-lines.js';
import { TEST_MODULES, type TestRunner } from './test-runner.js';

export interface ForeignControllerFile {
  /** `backup`: of the controller, at the end of its children's names and of the annotation. */
  readonly name: string;
  /** `backupController`. */
  readonly variable: string;
  /** `backup-controller`. */
  readonly file: string;
  /** The domain of the annotation. */
  readonly domain: string;
  readonly kind: ForeignKind;
  readonly runner: TestRunner;
}

/** A kind that another operator, or Kubernetes itself, defines. */
export interface ForeignKind {
  /** The name under which it is imported. */
  readonly name: string;
  /** `keelson/kinds`, or a file beside the sources with its ending `.js`. */
  readonly module: string;
  readonly isNamespaced: boolean;
}

const BUILTIN = 'keelson/kinds';

/** The child that a generated controller makes. */
interface Child {
  readonly kind: string;
  readonly handle: string;
  readonly factory: string;
  readonly data: string;
}

const CONFIG_MAP: Child = { kind: 'ConfigMap', handle: 'configMaps', factory: 'configMapFor', data: '{ name, uid: String(uid) }' };
const SECRET: Child = { kind: 'Secret', handle: 'secrets', factory: 'secretFor', data: '{ name: btoa(name), uid: btoa(String(uid)) }' };

/** An object cannot be a child of its own kind. */
const childOf = ({ name }: ForeignKind): Child => (name === CONFIG_MAP.kind ? SECRET : CONFIG_MAP);

/** A controller for objects that others make: it acts on those that ask for it, and reads metadata alone, so it fits every kind as it is written. */
export function foreignControllerFile({ name, variable, domain, kind }: ForeignControllerFile): string {
  const child = childOf(kind);
  const place = kind.isNamespaced ? '' : ', namespace: NAMESPACE';
  const namespace = kind.isNamespaced
    ? ''
    : `\n/** Where the children are: a ${kind.name} has no namespace. */\nconst NAMESPACE = 'default';\n`;
  return `${importLines({ keelson: ['defineController'], ...importsOf(kind, [child.kind]) })}
/** Asks for a ${child.kind}, whatever its value is. All other objects are left as they are. */
export const ANNOTATION = '${domain}/${name}';
${namespace}
/** The ${child.kind} that goes with a ${kind.name}. */
export function ${child.factory}({ metadata: { name, uid } }: ${kind.name}): ${child.kind} {
  return ${child.kind}({ metadata: { name: \`\${name}-${name}\`${place} }, data: ${child.data} });
}

/** Keeps a ${child.kind} for each ${kind.name} with the annotation. The status belongs to the controller that the kind comes with. */
export const ${variable} = defineController({
  name: '${name}',
  for: ${kind.name},
  owns: { ${child.handle}: ${child.kind} },
  reconcile({ object, done }) {
    const isAsked = object.metadata.annotations?.[ANNOTATION] !== undefined;
    return done({ owned: { ${child.handle}: isAsked ? [${child.factory}(object)] : [] } });
  },
});
`;
}

export function foreignControllerTestFile({ variable, file, kind, runner }: ForeignControllerFile): string {
  const child = childOf(kind);
  const imports = importLines({
    [TEST_MODULES[runner]]: ['expect', 'test'],
    '@keelson/testing': ['reconcileOnce'],
    [`./${file}.js`]: ['ANNOTATION', child.factory, variable],
    './operator.js': ['operator'],
    ...importsOf(kind, []),
  });
  const metadata = `{ name: 'first'${kind.isNamespaced ? ", namespace: 'shop'" : ''}, uid: '1', annotations }`;
  return `${imports}
/** The controller reads metadata alone, so the rest may be missing here. */
function annotated(annotations: Record<string, string>): ${kind.name} {
  const metadata = ${metadata};
  return ${kind.name}({ metadata } as Parameters<typeof ${kind.name}>[0]) as ${kind.name};
}

test('keeps a ${child.kind} for a ${kind.name} that asks for it', async () => {
  const object = annotated({ [ANNOTATION]: 'yes' });
  const { owned } = await reconcileOnce(${variable}, { object });
  expect(owned).toEqual({ ${child.handle}: [${child.factory}(object)] });
});

test('leaves a ${kind.name} without the annotation as it is', async () => {
  const { owned } = await reconcileOnce(${variable}, { object: annotated({}) });
  expect(owned).toEqual({ ${child.handle}: [] });
});

test('is part of the operator', () => {
  expect(operator.controllers).toContain(${variable});
});
`;
}

/** The kind, and built-in ones beside it. */
function importsOf({ name, module }: ForeignKind, builtin: readonly string[]): Readonly<Record<string, readonly string[]>> {
  if (module !== BUILTIN) return { ...(builtin.length > 0 && { [BUILTIN]: builtin }), [module]: [name] };
  return { [BUILTIN]: [...new Set([...builtin, name])] };
}
