import { dirname, join, relative } from 'node:path';

/**
 * A plugin of oxlint: what a file of `src` may import. `layer` has the table of rooms and what each may import. `door` requires that other folders
 * are imported by their `index.js`, and other packages by their name.
 */

const GROUND = ['kubernetes/object', 'kubernetes/apimachinery'];
const DEFINITION = [...GROUND, 'kubernetes/re2', 'kubernetes/kinds', 'kubernetes/structural', 'keelson/schema', 'keelson/definition'];
const SERVER = [
  ...GROUND,
  'kubernetes/re2',
  'kubernetes/certificates',
  'kubernetes/listening',
  'kubernetes/cel',
  'kubernetes/structural',
  'kubernetes/kinds',
];
const RUNTIME = [...DEFINITION, 'kubernetes/certificates', 'kubernetes/listening'];
const TESTING = [...SERVER, ...DEFINITION, 'runtime', 'api-server'];

/** Packages. A star stands for any end of the name. */
const CDK8S = ['cdk8s*', 'constructs'];
const CLIENT = ['@kubernetes/*'];
const NODE = ['node:*'];

/** For each room: the rooms that it may import (`of`), the packages that it may not load (`never`), and the reason. A room without an entry may import anything. */
const ROOMS = {
  'kubernetes/object': { of: [], never: [...CDK8S, ...CLIENT, 'zod', ...NODE], why: 'is what all others stand on: no packages, no I/O' },
  'kubernetes/re2': { of: GROUND, never: [...CDK8S, ...CLIENT, 'zod', ...NODE], why: 'reads patterns as Go does, and is pure' },
  'kubernetes/apimachinery': {
    of: ['kubernetes/object'],
    never: [...CDK8S, ...CLIENT, 'zod', ...NODE],
    why: "the lowest layer, the API's conventions as pure functions: no packages, no I/O",
  },
  'kubernetes/cel': {
    of: [...GROUND, 'kubernetes/re2'],
    never: [...CDK8S, ...CLIENT, 'zod', ...NODE],
    why: 'judges expressions over values, and is pure',
  },
  'kubernetes/certificates': { of: GROUND, never: [...CDK8S, ...CLIENT, 'zod'], why: 'makes X.509 certificates on node:crypto alone' },
  'kubernetes/listening': {
    of: GROUND,
    never: [...CDK8S, ...CLIENT, 'zod'],
    why: 'holds what every HTTP server of ours needs, on node:http alone',
  },
  'kubernetes/structural': {
    of: [...GROUND, 'kubernetes/re2', 'kubernetes/cel'],
    never: [...CDK8S, ...CLIENT, 'zod', ...NODE],
    why: 'judges values under structural schemas, and is pure',
  },
  'kubernetes/kinds': { of: [...GROUND, 'imports'], never: [...CDK8S, ...CLIENT, 'zod'], why: 'holds facts about built-in kinds' },
  'keelson/schema': {
    of: [...GROUND, 'kubernetes/re2', 'kubernetes/cel', 'kubernetes/structural'],
    never: [...CDK8S, ...CLIENT, ...NODE],
    why: 'turns zod into structural schemas, without I/O',
  },
  'keelson/definition': { of: DEFINITION, never: [...CDK8S, ...CLIENT, ...NODE], why: 'is values: no cdk8s, no I/O, nothing that runs' },
  'keelson/index.ts': {
    of: DEFINITION,
    never: [...CDK8S, ...CLIENT, ...NODE],
    why: 'is the definitions: what needs cdk8s or a cluster has its own door',
  },
  'keelson/constructs': {
    of: DEFINITION,
    never: [...CLIENT, ...NODE],
    why: 'writes what definitions say: synthesis does no I/O, cdk8s writes the files',
  },
  'keelson/packaging': {
    of: [...DEFINITION, 'keelson/constructs', 'imports'],
    never: CLIENT,
    why: 'arranges what constructs wrote, and talks to no cluster',
  },
  runtime: { of: RUNTIME, never: CDK8S, why: 'runs in a Pod: never constructs' },
  'api-server': { of: [...SERVER, 'imports'], never: [...CDK8S, ...CLIENT, 'zod'], why: 'is a Kubernetes, not a keelson' },
  testing: { of: [...TESTING, 'imports'], never: CDK8S, why: 'runs definitions, not charts' },
};

/** Folders of `src` that hold several rooms. Each of these rooms has a door. */
const DIVIDED = ['kubernetes', 'keelson'];

/** `keelson dev` runs an operator in another process. That process must not load all that a door exports, so these files may import any file. */
const ENTER_FILES = /^src\/(cli\/command-line\.ts$|testing\/cluster\/operator-installation\.ts$)/;

/** For `src/kubernetes/cel/cost/index.ts` it is `kubernetes/cel`, for `imports/version.ts` it is `imports`. */
function roomOf(path) {
  const [top, first = '', second = ''] = path.split('/');
  if (top !== 'src') return top;
  return DIVIDED.includes(first) ? `${first}/${second}` : first;
}

/** For `@keelson/kubernetes/cel` it is `kubernetes/cel`, for `@keelson/runtime/internal/cache` it is `runtime`; `undefined` for packages of others. */
function roomOfPackage(specifier) {
  if (!/^(@keelson\/|keelson($|\/))/.test(specifier)) return undefined;
  if (specifier === '@keelson/kubernetes/version') return 'imports';
  const [folder, room = 'index.ts'] = specifier.replace('@keelson/', '').replace('/internal', '').split('/');
  return DIVIDED.includes(folder) ? `${folder}/${room}` : folder;
}

/** The folder of the package that a file is part of: `src/runtime`. */
const packageOf = (path) => path.split('/').slice(0, 2).join('/');

function isEntered(file, target) {
  const [folder, inner] = [`${dirname(file)}/`, dirname(target)];
  if (folder.startsWith(`${inner}/`) || ENTER_FILES.test(file)) return true;
  if (!/\/index\.[jt]s$/.test(target)) return false;
  const outer = dirname(inner);
  return DIVIDED.includes(outer.replace('src/', '')) || folder.startsWith(`${outer}/`);
}

const layer = {
  create: (context) => {
    const file = relative(context.cwd, context.filename);
    const room = roomOf(file);
    const rule = ROOMS[room];
    return sourcesOf((node, specifier) => {
      if (rule === undefined) return;
      const target = specifier.startsWith('.') ? roomOf(join(dirname(file), specifier).replace(/\.js$/, '.ts')) : roomOfPackage(specifier);
      const isOurs = target !== undefined && target !== room;
      const isAllowed = isOurs ? rule.of.includes(target) : target === room || !rule.never.some((name) => isOf(specifier, name));
      if (!isAllowed) context.report({ node, message: `src/${room} ${rule.why}. It may not import ${isOurs ? target : specifier}.` });
    });
  },
};

const isOf = (specifier, name) => specifier === name || specifier.startsWith(name.endsWith('*') ? name.slice(0, -1) : `${name}/`);

const door = {
  create: (context) => {
    const file = relative(context.cwd, context.filename);
    return sourcesOf((node, specifier) => {
      const target = specifier.startsWith('.') ? join(dirname(file), specifier) : '';
      if (!target.startsWith('src/')) return;
      if (packageOf(target) !== packageOf(file))
        context.report({ node, message: `${target} is of another package: import it by the name of that package.` });
      else if (!isEntered(file, target))
        context.report({ node, message: `${target} is inside another folder: import from the index.js of that folder.` });
    });
  },
};

/** Reports each module that a file imports or exports from, in types too. */
function sourcesOf(report) {
  const visit = (node) => {
    const source = node.source ?? node.argument;
    const value = source?.value ?? source?.literal?.value;
    if (typeof value === 'string') report(node, value);
  };
  return {
    ImportDeclaration: visit,
    ExportNamedDeclaration: visit,
    ExportAllDeclaration: visit,
    ImportExpression: visit,
    TSImportType: visit,
  };
}

export default { meta: { name: 'places' }, rules: { layer, door } };
