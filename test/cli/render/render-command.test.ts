import { runIn } from '../commands.js';
import { Workplace } from '../keelson-process.js';
import { TestFolder } from '../test-folder.js';

const folder = new TestFolder('render');

/** As a project has it; the packages are found as those of a project. */
const OPERATOR = `import { defineController, defineCustomResource, defineOperator, k } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { z } from 'zod';

const Kiln = defineCustomResource({ group: 'lab.example.org', kind: 'Kiln', versions: { v1: { spec: z.object({ heat: k.int32().min(1) }) } } });
const controller = defineController({
  name: 'kiln',
  for: Kiln,
  owns: { configs: ConfigMap },
  reconcile: ({ object: { metadata, spec }, done }) =>
    done({ owned: { configs: [ConfigMap({ metadata: { name: metadata.name }, data: { heat: String(spec.heat) } })] } }),
});
export const operator = defineOperator({ name: 'kiln-operator', controllers: [controller] });
`;
const KILN = 'apiVersion: lab.example.org/v1\nkind: Kiln\nmetadata: {name: a}\nspec: {heat: 4}\n';

test('the process of a project prints what its operator writes', async () => {
  const workplace = new Workplace();
  try {
    workplace.save('operator.ts', OPERATOR);
    workplace.save('kiln.yaml', KILN);
    const command = workplace.start(['render', '--operator', 'operator.ts', 'kiln.yaml']);
    expect({ status: await command.status, text: command.text }).toEqual({
      status: 0,
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  namespace: default
  ownerReferences:
    - apiVersion: lab.example.org/v1
      kind: Kiln
      name: a
      controller: true
      blockOwnerDeletion: true
data:
  heat: "4"
`,
    });
  } finally {
    await workplace.close();
  }
});

test.each([
  ['', 'keelson render: no file given; pass a custom resource in YAML, or - for standard input'],
  ['-o text a.yaml', 'keelson render: --output text: is not known; choose yaml or json'],
  ['--timeout soon a.yaml', 'keelson render: --timeout soon: is not a time; give one such as 30s or 2m'],
  ['a.yaml', 'keelson render: there is no src/operator.ts here; name the module that exports the operator with --operator'],
  ['--operator x.ts a.yaml', 'keelson render: --operator x.ts: there is no such file'],
])('a wrong command line (%j) is told with the way out', async (words, told) => {
  const { status, error } = await runIn(folder.path, ['render', ...words.split(' ').filter((word) => word !== '')]);
  expect({ status, error }).toEqual({ status: 2, error: `${told}\nSee keelson render --help.\n` });
});
