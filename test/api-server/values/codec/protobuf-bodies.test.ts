import { FakeClock } from '../../../../src/api-server/clock/index.js';
import { ApiServer, type ServerProblem } from '../../../../src/api-server/server/index.js';
import { recordedKinds } from '../go-types/recorded-kinds.js';
import { type GoldenKind, goldenKinds } from '../go-types/testdata.js';

/** Those of Kubernetes 1.32 are extra: where they are absent, nothing rests on them alone. */
const foreign = goldenKinds();
const sources: readonly (readonly [name: string, kinds: readonly GoldenKind[]])[] = [
  ['of the pinned Kubernetes', recordedKinds()],
  ...(foreign === undefined ? [] : ([['of Kubernetes 1.32 (extra)', foreign]] as const)),
];

const problems: ServerProblem[] = [];
let server: ApiServer;
beforeAll(async () => {
  // Its time is in the answers.
  const clock = new FakeClock();
  server = await ApiServer.start({ protocol: 'http', mode: 'envtest', clock, onProblem: (problem) => problems.push(problem) });
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'namespacevalue' } };
  expect((await posted('/api/v1/namespaces', 'application/json', Buffer.from(JSON.stringify(namespace)))).status).toBe(201);
});
afterAll(() => server.close());

interface Answer {
  readonly status: number;
  readonly warnings: string | null;
  readonly body: string;
}

async function posted(path: string, type: string, body: Buffer): Promise<Answer> {
  const headers = { authorization: `Bearer ${server.tokenFor()}`, 'content-type': type };
  const answer = await fetch(new URL(path, server.url), { method: 'POST', headers, body: new Uint8Array(body) });
  return { status: answer.status, warnings: answer.headers.get('warning'), body: masked(await answer.text()) };
}

const masked = (text: string): string =>
  text
    .replace(/"[0-9a-f]{8}-[0-9a-f-]{27}"/g, '"uid"')
    .replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"/g, '"time"')
    .replace(/"resourceVersion":"\d+"/g, '"resourceVersion":"…"');

/** Names that the API takes, of the same length, so that they can be exchanged in the bytes of a protobuf body too. */
function named(body: Buffer): Buffer {
  const changed = Buffer.from(body);
  for (const text of ['namespaceValue', 'nameValue']) {
    for (let at = changed.indexOf(text); at >= 0; at = changed.indexOf(text, at)) changed.write(text.toLowerCase(), at);
  }
  return changed;
}

function pathOf({ group, version, kind }: GoldenKind): string | undefined {
  const resource = server.core.catalog.resources.find((one) => one.group === group && one.kind === kind);
  const served = resource?.versions.find((one) => one.version === version);
  if (resource === undefined || served?.verbs.includes('create') !== true) return undefined;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const space = resource.scope === 'Namespaced' ? '/namespaces/namespacevalue' : '';
  return `${root}${space}/${resource.plural}?dryRun=All&fieldManager=m`;
}

describe('bodies with every field filled', () => {
  test.each(sources)('%s are answered alike in protobuf, JSON and YAML', async (_name, kinds) => {
    const seen: string[] = [];
    for (const kind of kinds) {
      const path = pathOf(kind);
      if (path === undefined) continue;
      const inJson = await posted(path, 'application/json', named(Buffer.from(kind.json)));
      const inProtobuf = await posted(path, 'application/vnd.kubernetes.protobuf', named(kind.protobuf));
      const inYaml = await posted(path, 'application/yaml', named(Buffer.from(kind.yaml)));
      expect({ kind: kind.name, inProtobuf, inYaml }).toEqual({ kind: kind.name, inProtobuf: inJson, inYaml: inJson });
      // No field is told as unknown, and no body as unreadable: all is read, and most of it is refused for its names.
      expect({ kind: kind.name, isUnread: [400, 415].includes(inJson.status) }).toEqual({ kind: kind.name, isUnread: false });
      seen.push(kind.name);
    }
    expect(seen.length).toBeGreaterThanOrEqual(56);
    expect(problems).toEqual([]);
    // Seconds on a loaded machine: these are big bodies.
  });
});
