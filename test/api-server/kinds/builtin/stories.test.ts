import { allStories } from './stories/all-stories.js';
import { inAnyOrder, maskedAnswer } from './stories/masked-answer.js';
import { recordedAnswers } from './stories/recorded-answers.js';
import { StoryServer } from './stories/story-server.js';

const recorded = recordedAnswers();

test('each story was recorded, under a title of its own', () => {
  expect(allStories.length).toBeGreaterThan(450);
  expect([...recorded.keys()].sort()).toEqual(allStories.map(({ title }) => title).sort());
});

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

test.each(allStories.map((story) => [story.title, story] as const))('is answered as by a real server: %s', async (title, story) => {
  const told = (await new StoryServer().tell(story)).map(maskedAnswer);
  const answers = recorded.get(title);
  if (FROM_MAPS.has(title)) expect(told.map(inAnyOrder)).toEqual(answers?.map(inAnyOrder));
  else expect(told).toEqual(answers);
});
