/** A plugin of oxlint. Tests wait by `eventually`, and its deadline stands in test/deadline.cjs: a number of a test's own is too short on some machine. */

const HOOKS = new Set(['beforeAll', 'beforeEach', 'afterAll', 'afterEach']);
const TESTS = new Set(['test', 'it', 'describe']);
const PROCESSES = new Set(['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync']);
const CLOCKS = new Set(['performance', 'Date']);

const MESSAGE = 'A deadline of its own: wait with eventually, or take DEADLINE_MS of test/deadline.cjs where a guard is needed.';

/** `test` of `test.skip.each(rows)`, and of `(isThere ? test : test.skip)`. */
function rootOf(node) {
  if (node.type === 'Identifier') return node.name;
  const inner = node.object ?? node.callee ?? node.tag ?? node.consequent;
  return inner === undefined ? '' : rootOf(inner);
}

/** `a.b`: its names, `undefined` where it is none. */
const pathOf = ({ type, object, property }) => (type === 'MemberExpression' ? [rootOf(object), property.name] : []);

/** Whether a number is written here, or in a constant of the same file. What is computed from an imported one is none. */
function isNumber(node, scope) {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'number';
    case 'BinaryExpression':
      return isNumber(node.left, scope) && isNumber(node.right, scope);
    case 'Identifier':
      return isNumber(constantOf(node.name, scope), scope);
    default:
      return false;
  }
}

function constantOf(name, scope) {
  const variable = scope.set.get(name);
  if (variable === undefined) return scope.upper === null ? undefined : constantOf(name, scope.upper);
  const [{ node, type } = {}] = variable.defs;
  return type === 'Variable' && node.parent.kind === 'const' && node.id.type === 'Identifier' ? node.init : undefined;
}

/** `'90s'` and 90_000. Less than a second is no deadline: it is to be over soon, as a wait that a test sees end. */
function isLongTime(node, scope) {
  const { value } = (node.type === 'Identifier' ? constantOf(node.name, scope) : node) ?? {};
  return typeof value === 'string' ? /^\d+[smh]$/.test(value) : isNumber(node, scope) && !(value < 1_000);
}

function timeoutsIn(args, isLong) {
  return args
    .filter(({ type }) => type === 'ObjectExpression')
    .flatMap(({ properties }) => properties)
    .filter(({ key, value }) => key?.name === 'timeout' && isLong(value))
    .map(({ value }) => value);
}

function deadlinesOf({ callee, arguments: args }, scope) {
  const [object, property] = pathOf(callee);
  const name = property ?? rootOf(callee);
  const numbersFrom = (index) => args.slice(index).filter((argument) => isNumber(argument, scope));
  if (object === 'jest' && property === 'setTimeout') return args;
  if (name === 'setTimeout' || (object === 'AbortSignal' && property === 'timeout'))
    return args.filter((argument) => isLongTime(argument, scope));
  if (name === 'eventually') return numbersFrom(0);
  if (HOOKS.has(rootOf(callee))) return numbersFrom(1);
  if (TESTS.has(rootOf(callee)) && property !== 'each') return numbersFrom(2);
  if (PROCESSES.has(name)) return timeoutsIn(args, (value) => isNumber(value, scope));
  return timeoutsIn(args, (value) => isLongTime(value, scope));
}

/** `performance.now() + 10_000` under a name: a loop of its own that waits. In `new Date(…)` it is a date. */
function isEndOfWait({ operator, left, right, parent }, scope) {
  const [clock, method] = left.type === 'CallExpression' ? pathOf(left.callee) : [];
  const isKept = ['VariableDeclarator', 'AssignmentExpression'].includes(parent.type);
  return operator === '+' && CLOCKS.has(clock) && method === 'now' && isKept && isLongTime(right, scope);
}

const noLiteralDeadline = {
  create: (context) => ({
    CallExpression(node) {
      for (const found of deadlinesOf(node, context.sourceCode.getScope(node))) context.report({ node: found, message: MESSAGE });
    },
    BinaryExpression(node) {
      if (isEndOfWait(node, context.sourceCode.getScope(node))) context.report({ node, message: MESSAGE });
    },
  }),
};

export default { meta: { name: 'deadlines' }, rules: { 'no-literal': noLiteralDeadline } };
