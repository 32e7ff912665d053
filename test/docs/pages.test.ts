import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { withIncludes } from '../../scripts/docs/includes.js';
import { pages, readPage } from '../../scripts/docs/pages.js';

const root = process.cwd();

describe.each(pages(root))('%s', (page) => {
  const text = readPage(root, page);

  test('shows its examples as they are (npm run docs renews them)', () => {
    expect(withIncludes(text, root)).toBe(text);
  });

  test('links to files and headings that exist', () => {
    expect(linksOf(text).filter((link) => !resolves(page, link))).toEqual([]);
  });

  test('names suites that exist', () => {
    expect(suitesOf(text).filter((path) => !isBeginning(path))).toEqual([]);
  });
});

/** Paths below the folders of test, as jest takes them. A path of one name is of a user's project. */
function suitesOf(markdown: string): string[] {
  return [...markdown.matchAll(/(?<![\w/.{-])test\/[\w-]+\/[\w/.-]*\w/g)].map(([path]) => path);
}

/** Whether a path begins with this one: suites are named without their endings. */
function isBeginning(path: string): boolean {
  const folder = resolve(root, dirname(path));
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith(basename(path)));
}

/** Relative targets of inline links and images; code is not a link. */
function linksOf(markdown: string): string[] {
  const prose = markdown.replace(/^(```+)[\s\S]*?^\1\s*$/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target).filter((target) => !/^[a-z]+:/.test(target));
}

function resolves(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(resolve(root, target))) return false;
  return heading === undefined || anchorsOf(readPage(root, target)).includes(heading);
}

/** As GitHub makes them: lower case, punctuation dropped, spaces to hyphens. */
function anchorsOf(markdown: string): string[] {
  const prose = markdown.replace(/^(```+)[\s\S]*?^\1\s*$/gm, '');
  return [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}
