import { runIn } from '../commands.js';
import { Workplace } from '../keelson-process.js';
import { KILN_MODULE } from '../rehearsal/kiln-module.js';
import { TestFolder } from '../test-folder.js';

const folder = new TestFolder('render');

const KILN = 'apiVersion: lab.example.org/v1\nkind: Kiln\nmetadata: {name: a}\nspec: {heat: 4}\n';

test('the process of a project prints what its operator writes', async () => {
  const workplace = new Workplace();
  try {
    workplace.save('operator.ts', KILN_MODULE);
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
