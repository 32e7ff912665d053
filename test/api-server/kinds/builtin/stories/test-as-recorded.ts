import { inAnyOrder, maskedAnswer } from './masked-answer.js';
import { recordedAnswers } from './recorded-answers.js';
import type { Story } from './story.js';
import { StoryServer } from './story-server.js';

/** Their causes come from one Go map, which is walked in any order: the recording holds one of the orders. */
const FROM_MAPS: ReadonlySet<string> = new Set([
  'ConfigMap bad keys',
  'LimitRange amounts',
  'Node bad',
  'PersistentVolume bad',
  'PersistentVolumeClaim plain',
  'Pod bad resources',
  'ResourceQuota bad names',
  'RuntimeClass bad',
  'RuntimeClass wrong',
]);

/** A test of each story: the in-process server answers it as a real one did when it was recorded. */
export function testAsRecorded(stories: readonly Story[]): void {
  const recorded = recordedAnswers();

  test.each(stories.map((story) => [story.title, story] as const))('is answered as by a real server: %s', async (title, story) => {
    const told = (await new StoryServer().tell(story)).map(maskedAnswer);
    const answers = recorded.get(title);
    if (FROM_MAPS.has(title)) expect(told.map(inAnyOrder)).toEqual(answers?.map(inAnyOrder));
    else expect(told).toEqual(answers);
  });
}
