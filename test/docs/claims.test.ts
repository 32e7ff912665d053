import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { pages, readPage } from '../../scripts/docs/pages.js';
import { RUNTIME_CONTRACT } from '../../src/keelson/definition/index.js';

const root = process.cwd();

test('every page is reached from the README', () => {
  const linked = new Set<string>();
  const follow = (page: string): void => {
    if (linked.has(page)) return;
    linked.add(page);
    for (const [, target = ''] of readPage(root, page).matchAll(/\]\(([^)#\s]+\.md)[^)]*\)/g)) {
      const path = new URL(target, `file:///${page}`).pathname.slice(1);
      if (existsSync(path)) follow(path);
    }
  };
  follow('README.md');
  expect(pages(root).filter((page) => !linked.has(page))).toEqual([]);
});

test('the page on running names every variable of the environment, and none that there is not', () => {
  const named = [...readPage(root, 'docs/running.md').matchAll(/`((?:KEELSON|POD)_[A-Z_]+)`/g)].map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set(Object.values(RUNTIME_CONTRACT.env)));
});

describe('reliability', () => {
  const rows = new Map(
    [...readPage(root, 'docs/reliability.md').matchAll(/^\| (H\d+) (.*) \|$/gm)].map(([, hazard = '', row = '']) => [hazard, row] as const),
  );
  const hazards = Array.from({ length: 67 }, (_, index) => `H${index + 1}`);

  test('every hazard has a row', () => {
    expect([...rows.keys()].sort()).toEqual([...hazards].sort());
  });

  test.each(hazards)('%s: what holds it is there, and a test of it has the name', (hazard) => {
    const [, handled = '', held = ''] = (rows.get(hazard) ?? '').split(' | ');
    const sources = [...handled.matchAll(/`(src\/[^`]+)`/g)].map(([, path = '']) => path);
    expect(sources.filter((path) => !existsSync(path))).toEqual([]);
    const holders = [...held.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    expect(holders).not.toEqual([]);
    expect(holders.filter((name) => placeOf(name) === undefined)).toEqual([]);
    const texts = holders.flatMap((name) => textsBelow(placeOf(name) ?? ''));
    expect(texts.some((text) => new RegExp(`\\b${hazard}\\b`).test(text))).toBe(true);
  });
});

/** Titles of tests name the points that they hold: `2C-1, 2C-17: created, it …`. */
test.each([
  { example: 'etcd', list: '2A', points: 40 },
  { example: 'SidecarSet', list: '2B', points: 28 },
  { example: 'memcached', list: '2C', points: 22 },
  { example: 'Prometheus', list: '2D', points: 23 },
  { example: 'Helm', list: '2E', points: 22 },
])('every point of what $example has to show is named by a test, and has a row in the table', ({ list, points }) => {
  const all = new Set(Array.from({ length: points }, (_, index) => `${list}-${index + 1}`));
  const lines = ['test', 'examples'].flatMap(textsBelow).flatMap((text) => text.split('\n'));
  const titles = lines.filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line)).flatMap((line) => /['"`].*/.exec(line) ?? []);
  expect(new Set(titles.flatMap((title) => title.match(/\b2[A-E]-\d+\b/g) ?? []).filter((point) => all.has(point)))).toEqual(all);
  const rows = readPage(root, 'docs/examples.md').matchAll(/^\| (2[A-E]-\d+) \|/gm);
  expect(new Set([...rows].map(([, point = '']) => point).filter((point) => all.has(point)))).toEqual(all);
});

describe('the comparison', () => {
  /** How many features each part of the checklist has. */
  const parts = { M: 12, L: 5, K: 13, C: 6, Q: 9, B: 4, H: 6, W: 7, X: 3, T: 4 };
  const rows = [...readPage(root, 'docs/comparison.md').matchAll(/^\| ([A-Z]\d+) [^|]*\| (\w+) \|([^|]*)\|([^|]*)\|$/gm)].map(
    ([, feature = '', answer = '', how = '', held = '']) => ({ feature, answer, how: how.trim(), held }),
  );

  test('answers every feature once, and says how or why not', () => {
    const features = Object.entries(parts).flatMap(([part, count]) => Array.from({ length: count }, (_, index) => `${part}${index + 1}`));
    expect(rows.map(({ feature }) => feature).sort()).toEqual(features.sort());
    expect(rows.filter(({ answer, how }) => !['yes', 'other', 'more', 'no'].includes(answer) || how === '')).toEqual([]);
  });

  test.each(rows.filter(({ answer, held }) => answer !== 'no' && (answer !== 'other' || held.trim() !== '')))(
    'what holds $feature is there',
    ({ held }) => {
      const names = [...held.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
      expect(names).not.toEqual([]);
      expect(names.filter((name) => placeOf(name) === undefined)).toEqual([]);
    },
  );
});

/** `cache/watch.test.ts` is short for `test/runtime/cache/watch.test.ts`. */
function placeOf(name: string): string | undefined {
  return [`test/runtime/${name}`, `test/${name}`].find((path) => existsSync(path));
}

function textsBelow(path: string): string[] {
  if (path.endsWith('.ts')) return [readFileSync(path, 'utf8')];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(`${path}/${file}`, 'utf8'));
}
