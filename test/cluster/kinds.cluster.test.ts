import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltinTypeName, builtinSchema, builtinTypeNames } from 'keelson/kinds';
import { parseAllDocuments } from 'yaml';
import { generateKinds, readServer } from '../../scripts/generate-kinds/index.js';
import type { StructuralSchema } from '../../src/kubernetes/apimachinery/index.js';
import { type Cluster, describeCluster, isStatus, startCluster, type TestObject } from './harness/index.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const GROUP = 'kinds.keelson.test';

/** A CRD whose objects have one field for each of the schemas. */
function embedding(kind: string, properties: Readonly<Record<string, StructuralSchema>>): TestObject {
  const plural = `${kind.toLowerCase()}s`;
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { kind, plural },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

const schemasOf = (names: readonly BuiltinTypeName[]): Record<string, StructuralSchema> =>
  Object.fromEntries(names.map((name) => [name.charAt(0).toLowerCase() + name.slice(1), builtinSchema(name)]));

const specSchema = (crd: TestObject): unknown =>
  (crd as unknown as { spec: { versions: { schema: { openAPIV3Schema: { properties: { spec: unknown } } } }[] } }).spec.versions[0]?.schema
    .openAPIV3Schema.properties.spec;

async function establish(cluster: Cluster, crd: TestObject): Promise<TestObject> {
  await cluster.must('POST', DEFINITIONS, crd);
  return cluster.until<TestObject>(`${DEFINITIONS}/${crd.metadata.name}`, ({ status }) => {
    // Right after the creation the conditions are null.
    const { conditions } = (status ?? {}) as { conditions?: { type: string; status: string }[] | null };
    return (conditions ?? []).some((condition) => condition.type === 'Established' && condition.status === 'True');
  });
}

/** As many types as a CRD can hold well below etcd's limit of 1.5 MiB for an object. */
function portions(names: readonly BuiltinTypeName[]): BuiltinTypeName[][] {
  const result: BuiltinTypeName[][] = [];
  let room = 0;
  for (const name of names) {
    const size = JSON.stringify(builtinSchema(name)).length;
    if (size > room) {
      result.push([]);
      room = 700_000;
    }
    room -= size;
    result.at(-1)?.push(name);
  }
  return result;
}

describeCluster('schemas of built-in types', (cluster) => {
  test('each type alone is accepted in a CRD', async () => {
    const query = { dryRun: 'All' };
    for (const name of builtinTypeNames()) {
      const { status, body } = await cluster.request('POST', DEFINITIONS, embedding('Single', schemasOf([name])), { query });
      expect({ name, status, message: isStatus(body) ? body.message : undefined }).toEqual({ name, status: 201, message: undefined });
    }
  });

  test.each(
    portions(builtinTypeNames()).map(
      (names, index) => [`${String(names[0])} to ${String(names.at(-1))}`, names, `Portion${index}`] as const,
    ),
  )('%s: established, and stored as they were sent', async (_, names, kind) => {
    const crd = embedding(kind, schemasOf(names));
    const stored = await establish(cluster, crd);
    expect(specSchema(stored)).toEqual(specSchema(crd));
    await cluster.must('DELETE', `${DEFINITIONS}/${crd.metadata.name}`);
  });
});

describeCluster('objects that embed built-in types', (cluster) => {
  const names = [
    'PodTemplateSpec',
    'Container',
    'Affinity',
    'JobTemplateSpec',
    'PersistentVolumeClaimSpec',
    'ResourceRequirements',
  ] as const;
  const crd = embedding('Embedder', schemasOf(names));
  let path: string;
  beforeAll(async () => {
    await establish(cluster, crd);
    path = `/apis/${GROUP}/v1/namespaces/${await cluster.namespace('kinds')}/embedders`;
    // The API server serves a new resource a moment after it calls it Established.
    await cluster.until(path, () => true);
  });
  afterAll(() => cluster.request('DELETE', `${DEFINITIONS}/${crd.metadata.name}`));

  const embedder = (name: string, spec: object): TestObject => ({ apiVersion: `${GROUP}/v1`, kind: 'Embedder', metadata: { name }, spec });

  test('labels, ports, quantities and ports by name survive; list keys are defaulted, the rest is not', async () => {
    const podTemplateSpec = {
      metadata: { labels: { app: 'a' }, creationTimestamp: null },
      spec: {
        imagePullSecrets: [{}],
        containers: [
          {
            name: 'a',
            ports: [{ containerPort: 80 }],
            resources: { limits: { cpu: 1, memory: '1Gi' } },
            livenessProbe: { httpGet: { port: 'http' } },
            typo: 1,
          },
        ],
      },
    };
    const { spec } = await cluster.must('POST', path, embedder('kept', { podTemplateSpec }));
    expect(spec).toEqual({
      podTemplateSpec: {
        metadata: { labels: { app: 'a' } },
        spec: {
          imagePullSecrets: [{ name: '' }],
          containers: [
            {
              name: 'a',
              ports: [{ containerPort: 80, protocol: 'TCP' }],
              resources: { limits: { cpu: 1, memory: '1Gi' } },
              livenessProbe: { httpGet: { port: 'http' } },
            },
          ],
        },
      },
    });
  });

  test('lists merge by their keys under server-side apply', async () => {
    const apply = (manager: string, env: object) =>
      cluster.must('PATCH', `${path}/merged`, embedder('merged', { container: { name: 'a', env: [env] } }), {
        contentType: 'application/apply-patch+yaml',
        query: { fieldManager: manager, force: 'true' },
      });
    await apply('one', { name: 'A', value: '1' });
    const { spec } = await apply('two', { name: 'B', value: '2' });
    expect(spec).toEqual({
      container: {
        name: 'a',
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: '2' },
        ],
      },
    });
  });

  test.each([
    ['a container without a name', { container: { image: 'a' } }, 'spec.container.name: Required value'],
    [
      'an unknown policy',
      { container: { name: 'a', imagePullPolicy: 'Often' } },
      'spec.container.imagePullPolicy: Unsupported value: "Often"',
    ],
    [
      'a quantity that is none',
      { resourceRequirements: { limits: { cpu: 'much' } } },
      'spec.resourceRequirements.limits.cpu: Invalid value: "much"',
    ],
    [
      'one port twice',
      { container: { name: 'a', ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'TCP' }] } },
      'spec.container.ports[1]: Duplicate value: {"containerPort":80,"protocol":"TCP"}',
    ],
    [
      'a template without containers',
      { jobTemplateSpec: { spec: { template: { spec: {} } } } },
      'spec.template.spec.containers: Required value',
    ],
  ])('%s is refused', async (_, spec, message) => {
    const { status, body } = await cluster.request('POST', path, embedder('refused', spec));
    expect(status).toBe(422);
    expect(isStatus(body) ? body.message : '').toContain(message);
  });
});

describeCluster('generated kinds', (cluster) => {
  test("the project's CRDs of others are accepted", async () => {
    const folder = join(__dirname, '../../scripts/crds');
    for (const file of readdirSync(folder)) {
      for (const document of parseAllDocuments(readFileSync(join(folder, file), 'utf8'))) {
        await cluster.must('POST', DEFINITIONS, document.toJS(), { query: { dryRun: 'All' } });
      }
    }
  });

  test('imports/ is what the generator writes from this version', async () => {
    const own = await startCluster({ apiServerFlags: ['--runtime-config=api/all=true'] });
    try {
      const documents = await readServer({ url: own.url, token: own.adminToken, ca: own.connection.ca });
      for (const [path, text] of generateKinds(documents)) {
        expect({ path, same: readFileSync(join(__dirname, '../../imports', path), 'utf8') === text }).toEqual({ path, same: true });
      }
    } finally {
      await own.stop();
    }
  });
});
