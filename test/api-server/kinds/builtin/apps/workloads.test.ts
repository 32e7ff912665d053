import { type Fields, namespaced, type Step, type Story, story as storyOf } from '../stories/story.js';
import { messageOf, StoryServer, type Told } from '../stories/story-server.js';

const labels = { app: 'a' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'x:1' }] } };
const metadata = { name: 'a' };

function story(kind: 'Deployment' | 'StatefulSet', spec: Fields, steps: readonly Step[] = []): Story {
  const object = { metadata, spec: { selector: { matchLabels: labels }, template, ...spec } };
  return storyOf(namespaced('apps/v1', kind, `${kind.toLowerCase()}s`), 'a', object, ...steps);
}

const tell = (told: Story): Promise<readonly Told[]> => new StoryServer().tell(told);

test('a Deployment rolls by a quarter unless it says otherwise', async () => {
  const [created] = await tell(story('Deployment', {}));
  expect(created?.body).toMatchObject({
    spec: {
      replicas: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    },
    status: {},
    metadata: { generation: 1 },
  });
});

test('a selector has to select, and cannot change', async () => {
  const [mismatch] = await tell(story('Deployment', { selector: { matchLabels: { app: 'b' } } }));
  expect(messageOf(mismatch)).toBe(
    'Deployment.apps "a" is invalid: spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
  );
  const patch = { spec: { selector: { matchLabels: { b: 'c' } }, template: { metadata: { labels: { b: 'c' } } } } };
  const [, changed] = await tell(story('Deployment', {}, [{ patch }]));
  expect(messageOf(changed)).toBe(
    'Deployment.apps "a" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"a","b":"c"}}: field is immutable',
  );
});

test('annotations of a Deployment are work for its controller, labels are not', async () => {
  const [, labelled, annotated] = await tell(
    story('Deployment', {}, [{ patch: { metadata: { labels: { x: 'y' } } } }, { patch: { metadata: { annotations: { x: 'y' } } } }]),
  );
  expect(labelled?.body).toMatchObject({ metadata: { generation: 1 } });
  expect(annotated?.body).toMatchObject({ metadata: { generation: 2 } });
});

test('the status is written at its own place alone', async () => {
  const [, ignored, written] = await tell(
    story('Deployment', {}, [
      { patch: { status: { replicas: 3 } } },
      { of: 'status', patch: { status: { replicas: 3 }, spec: { replicas: 9 }, metadata: { labels: { x: 'y' } } } },
    ]),
  );
  expect(ignored?.body).toMatchObject({ status: {} });
  expect(written?.body).toMatchObject({ status: { replicas: 3 }, spec: { replicas: 1 }, metadata: { generation: 1 } });
  expect(written?.body).not.toMatchObject({ metadata: { labels: { x: 'y' } } });
});

test('the fields of a StatefulSet that cannot change are named', async () => {
  const [, changed] = await tell(story('StatefulSet', { serviceName: 'a' }, [{ patch: { spec: { serviceName: 'b' } } }]));
  expect(messageOf(changed)).toBe('StatefulSet.apps "a" is invalid: spec.serviceName: Invalid value: "b": field is immutable');
});
