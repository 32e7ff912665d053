import { dirname, join, relative } from 'node:path';

/**
 * A plugin of oxlint: where a file of `src` may import from. Rooms stand on rooms below them, and a folder is entered by its door, `index.js`.
 */

const GROUND = ['kubernetes/apimachinery'];
const DEFINITION = [...GROUND, 'kubernetes/kinds', 'kubernetes/structural', 'keelson/schema', 'keelson/definition'];
const SERVER = [
  ...GROUND,
  'kubernetes/certificates',
  'kubernetes/listening',
  'kubernetes/cel',
  'kubernetes/structural',
  'kubernetes/kinds',
];
const RUNTIME = [...DEFINITION, 'kubernetes/certificates', 'kubernetes/listening'];
const TESTING = [...SERVER, ...DEFINITION, 'runtime', 'api-server'];

const CDK8S = ['cdk8s', 'cdk8s-plus-27', 'constructs'];
const CLIENT = ['@kubernetes/client-node'];
const NODE = ['node:'];

/** What a room may import of ours (`of`), what it may not load, and what that says of it. A room without an entry may import anything. */
const ROOMS = {
  'kubernetes/apimachinery': {
    of: [],
    never: [...CDK8S, ...CLIENT, 'zod', ...NODE],
    why: "the lowest layer, the API's conventions as pure functions: no packages, no I/O",
  },
  'kubernetes/cel': { of: GROUND, never: [...CDK8S, ...CLIENT, 'zod', ...NODE], why: 'judges expressions over values, and is pure' },
  'kubernetes/certificates': { of: GROUND, never: [...CDK8S, ...CLIENT, 'zod'], why: 'makes X.509 certificates on node:crypto alone' },
  'kubernetes/listening': {
    of: GROUND,
    never: [...CDK8S, ...CLIENT, 'zod'],
    why: 'holds what every HTTP server of ours needs, on node:http alone',
  },
  'kubernetes/structural': {
    of: [...GROUND, 'kubernetes/cel'],
    never: [...CDK8S, ...CLIENT, 'zod', ...NODE],
    why: 'judges values under structural schemas, and is pure',
  },
  'kubernetes/kinds': { of: [...GROUND, 'imports'], never: [...CDK8S, ...CLIENT, 'zod'], why: 'holds facts about built-in kinds' },
  'keelson/schema': {
    of: [...GROUND, 'kubernetes/cel', 'kubernetes/structural'],
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

/** Packages of several rooms. Each room has a door of its own. */
const STREETS = ['kubernetes', 'keelson'];

/** Packages that may enter a room of another package by the door of that room. What of it is public stands in the door of the package. */
const ENTER_ROOMS = /^src\/(testing|cli)\//;

/** `keelson dev` runs the parts of an operator in a process of their own, which must not load what a door leads to. */
const ENTER_FILES = /^src\/(cli\/(dev\/|command-line\.ts$)|testing\/cluster\/operator-installation\.ts$)/;

/** `kubernetes/cel` of src/kubernetes/cel/cost/index.ts; `imports` of what is generated there. */
function roomOf(path) {
  const [top, first = '', second = ''] = path.split('/');
  if (top !== 'src') return top;
  return STREETS.includes(first) ? `${first}/${second}` : first;
}

function isEntered(file, target) {
  const [folder, inner] = [`${dirname(file)}/`, dirname(target)];
  if (folder.startsWith(`${inner}/`) || ENTER_FILES.test(file)) return true;
  if (!/\/index\.[jt]s$/.test(target)) return false;
  const outer = dirname(inner);
  return STREETS.includes(outer.replace('src/', '')) || folder.startsWith(`${outer}/`) || ENTER_ROOMS.test(file);
}

const layer = {
  create: (context) => {
    const file = relative(context.cwd, context.filename);
    const room = roomOf(file);
    const rule = ROOMS[room];
    return sourcesOf((node, specifier) => {
      if (rule === undefined) return;
      const target = specifier.startsWith('.') ? roomOf(join(dirname(file), specifier).replace(/\.js$/, '.ts')) : undefined;
      const isOurs = target !== undefined && target !== room;
      const isAllowed = isOurs ? rule.of.includes(target) : target === room || !rule.never.some((name) => isOf(specifier, name));
      if (!isAllowed) context.report({ node, message: `src/${room} ${rule.why}. It may not import ${isOurs ? target : specifier}.` });
    });
  },
};

const isOf = (specifier, name) => specifier === name || specifier.startsWith(name.endsWith(':') ? name : `${name}/`);

const door = {
  create: (context) => {
    const file = relative(context.cwd, context.filename);
    return sourcesOf((node, specifier) => {
      const target = specifier.startsWith('.') ? join(dirname(file), specifier) : '';
      if (target.startsWith('src/') && !isEntered(file, target))
        context.report({ node, message: `${target} is inside of another folder: import from the door of that folder, index.js.` });
    });
  },
};

/** Calls back for each module that a file names, with its text. */
function sourcesOf(report) {
  const visit = (node) => {
    const source = node.source ?? node.argument;
    if (typeof source?.value === 'string') report(node, source.value);
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
