import type { Fields, Step, Story } from '../../stories/story.js';
import { StoryServer, type Told } from '../../stories/story-server.js';
import { main, pod as podStory } from './pod-story.js';

function pod(spec: Fields, more: { readonly steps?: readonly Step[] } = {}): Story {
  return podStory('a', spec, { metadata: { name: 'a' }, ...more });
}

async function tell(story: Story): Promise<readonly Told[]> {
  return new StoryServer().tell(story);
}

async function last(story: Story): Promise<{ readonly [field: string]: never } & { readonly message: string }> {
  return (await tell(story)).at(-1)?.body as never;
}

async function refusal(story: Story): Promise<string> {
  return (await last(story)).message;
}

test('the smallest pod has what the server fills in, in the order of Go', async () => {
  const { spec, status, metadata } = (await last(pod({}))) as Record<string, never>;
  expect(JSON.stringify(spec)).toBe(
    '{"containers":[{"name":"main","image":"nginx","resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler","enableServiceLinks":true}',
  );
  expect(status).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
  expect(metadata).toMatchObject({ generation: 1 });
});

test('a grace period of 0 is no reason for a warning', async () => {
  const [created] = await tell(pod({ terminationGracePeriodSeconds: 0 }));
  expect(created).toMatchObject({ status: 201, warnings: [] });
});

test('limits become requests of a pod, never finer than a thousandth', async () => {
  const resources = { limits: { cpu: '0.0001', memory: '1024Mi' } };
  const { spec, status } = (await last(pod({ containers: [{ ...main, resources }] }))) as Record<
    string,
    { containers: unknown[]; qosClass: string }
  >;
  expect(spec?.containers[0]).toMatchObject({
    resources: { limits: { cpu: '1m', memory: '1Gi' }, requests: { cpu: '1m', memory: '1Gi' } },
  });
  expect(status?.qosClass).toBe('Guaranteed');
});

test.each<[string, Fields, string]>([
  ['no containers', { containers: [] }, 'spec.containers: Required value'],
  [
    'a name that is not a label',
    { containers: [{ ...main, name: 'A' }] },
    `spec.containers[0].name: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
  ],
  [
    'a mount of nothing',
    { containers: [{ ...main, volumeMounts: [{ name: 'v', mountPath: '/v' }] }] },
    'spec.containers[0].volumeMounts[0].name: Not found: "v"',
  ],
  [
    'more requested than allowed',
    { containers: [{ ...main, resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }] },
    'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
  ],
  [
    'two sources of a volume',
    { volumes: [{ name: 'v', emptyDir: {}, configMap: { name: 'c' } }] },
    'spec.volumes[0].configMap: Forbidden: may not specify more than 1 volume type',
  ],
  [
    'a probe without a handler',
    { containers: [{ ...main, livenessProbe: {} }] },
    'spec.containers[0].livenessProbe: Required value: must specify a handler type',
  ],
  [
    'a toleration of everything by value',
    { tolerations: [{ operator: 'Equal' }] },
    'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
  ],
])('%s is refused', async (_, spec, text) => {
  expect(await refusal(pod(spec))).toBe(`Pod "a" is invalid: ${text}`);
});

test('a changed command is refused with the rule', async () => {
  const patch = { spec: { containers: [{ ...main, imagePullPolicy: 'Always', command: ['x'] }] } };
  expect(await refusal(pod({}, { steps: [{ patch }] }))).toMatch(/\(allow it to be set to 1 if it was previously negative\)$/);
});

test('a changed image is a new generation', async () => {
  const patch = { spec: { containers: [{ ...main, image: 'nginx:2', imagePullPolicy: 'Always' }] } };
  expect((await last(pod({}, { steps: [{ patch }] })))['metadata']).toMatchObject({ generation: 2 });
});

test('a pod on a node stays for its grace, one without goes at once', async () => {
  const [, onNode] = await tell(pod({ nodeName: 'n' }, { steps: [{ delete: {} }] }));
  expect(onNode?.body).toMatchObject({ metadata: { deletionGracePeriodSeconds: 30, generation: 2 } });
  const [, , gone] = await tell(pod({}, { steps: [{ delete: {} }, { get: '' }] }));
  expect(gone?.status).toBe(404);
});
