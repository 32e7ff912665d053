import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every page for users, relative to the root. */
export function pages(root: string): string[] {
  const below = (folder: string): string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
      .map((file) => `${folder}/${file}`)
      .sort();
  const packages = readdirSync(join(root, 'src')).map((name) => `src/${name}/README.md`);
  return ['README.md', 'SECURITY.md', ...packages, ...below('docs'), ...below('examples')];
}

export const readPage = (root: string, page: string): string => readFileSync(join(root, page), 'utf8');
