import { StoryServer } from '../../stories/story-server.js';
import { container } from './pod-story.js';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

/** An image without a tag is `latest`, and that is always pulled; what is not a name of an image is not. */
test.each([
  ['nginx', 'Always'],
  ['nginx:latest', 'Always'],
  ['nginx:1', 'IfNotPresent'],
  [`nginx@${DIGEST}`, 'IfNotPresent'],
  [`nginx:latest@${DIGEST}`, 'Always'],
  ['registry.example.com:5000/team/app', 'Always'],
  ['registry.example.com:5000/team/app:2', 'IfNotPresent'],
  ['localhost/app', 'Always'],
  ['team/app_b__c-d', 'Always'],
  ['Nginx', 'IfNotPresent'],
  ['nginx:', 'IfNotPresent'],
  ['nginx@sha256:12', 'IfNotPresent'],
  ['a'.repeat(300), 'IfNotPresent'],
  ['0123456789abcdef'.repeat(4), 'IfNotPresent'],
])('%s: %s', async (image, policy) => {
  const [created] = await new StoryServer().tell(container('a', { image }));
  expect(created?.body).toMatchObject({ spec: { containers: [{ imagePullPolicy: policy }] } });
});
