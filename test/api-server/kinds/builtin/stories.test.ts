import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { allStories } from './stories/all-stories.js';
import { recordedAnswers } from './stories/recorded-answers.js';

test('each story was recorded, under a title of its own', () => {
  expect(allStories.length).toBeGreaterThan(450);
  expect([...recordedAnswers().keys()].sort()).toEqual(allStories.map(({ title }) => title).sort());
});

test('no file of stories is left out by the test beside it', () => {
  const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /[/-]stories\.ts$/.test(file) && dirname(file) !== 'stories',
  );
  const isPlayed = (file: string): boolean => {
    const beside = join(__dirname, dirname(file), 'stories.test.ts');
    return existsSync(beside) && readFileSync(beside, 'utf8').includes(`from './${basename(file, '.ts')}.js'`);
  };
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => !isPlayed(file))).toEqual([]);
});
