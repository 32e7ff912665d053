import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { compiled, emptyWork, keelson, node } from '../scaffolded.js';
import { EXISTING_CRDS } from './existing-crds.js';

const root = process.cwd();

describe('CRDs that an API server takes', () => {
  const work = emptyWork('existing-crds');
  const crds = EXISTING_CRDS;
  let said = '';

  beforeAll(async () => {
    writeFileSync(join(work, 'crds.yaml'), crds.map((crd) => stringify(crd, { aliasDuplicateObjects: false })).join('---\n'));
    const { status, out, error } = await keelson('init all --from crds.yaml', work);
    expect([status, error]).toEqual([0, '']);
    said = out;
  });

  test('are made again by their definitions', () => {
    writeFileSync(
      join(work, 'emit.ts'),
      `import { customResourceDefinitionManifest } from 'keelson';
import { operator } from './all/src/operator.js';
console.log(JSON.stringify(operator.controllers.map(({ for: { customResource } }: any) => customResourceDefinitionManifest(customResource))));
`,
    );
    const made = JSON.parse(
      node([join(root, 'node_modules/tsx/dist/cli.mjs'), '--tsconfig', join(root, 'tsconfig.json'), 'emit.ts'], work),
    ) as object[];
    expect(made.map(plain)).toEqual(crds.map(plain));
  });

  /** Without the values that the API server fills in, and the fields that every object has. */
  function plain(crd: object): unknown {
    const objectFields = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' } };
    const copy = JSON.parse(JSON.stringify(crd)) as {
      spec: {
        versions: {
          schema: { openAPIV3Schema: { properties?: object; required?: string[] } };
          additionalPrinterColumns?: object[];
          subresources?: { scale?: object };
        }[];
      };
    };
    for (const version of copy.spec.versions) {
      const schema = version.schema.openAPIV3Schema;
      schema.properties = { ...objectFields, ...schema.properties };
      schema.required?.sort();
      for (const column of (version.additionalPrinterColumns ?? []) as { priority?: number; description?: string }[]) {
        if (column.priority === 0) delete column.priority;
        if (column.description === '') delete column.description;
      }
      const scale = version.subresources?.scale as { labelSelectorPath?: string } | undefined;
      if (scale?.labelSelectorPath === '') delete scale.labelSelectorPath;
    }
    return copy;
  }

  test('are taken by an API server as their definitions make them, and each is served', () => {
    writeFileSync(
      join(work, 'serve.ts'),
      `import { TestCluster } from '@keelson/testing';
import { operator } from './all/src/operator.js';
const cluster = await TestCluster.start({ operator });
for (const { for: kind } of operator.controllers as any) if ((await cluster.list(kind)).length > 0) console.log(kind.kind);
await cluster.close();
`,
    );
    const said = node([join(root, 'node_modules/tsx/dist/cli.mjs'), '--tsconfig', join(root, 'tsconfig.json'), 'serve.ts'], work);
    rmSync(join(work, 'serve.ts'));
    rmSync(join(work, 'emit.ts'));
    expect(said).toBe('');
  });

  test('give code that compiles', () => {
    expect(compiled(work)).toBe('');
  });

  test('are listed with what a new definition would be refused for', () => {
    for (const line of [
      '  - `kind`: ',
      '  - `shortNames[0]`: ',
      '  - `versions.v1.status`: ',
      '  - `versions.v1.columns[0].jsonPath`: ',
      '  - `versions.v1alpha1.spec.length`: ',
    ])
      expect(said).toContain(line);
    expect(said).not.toContain('not in the definition');
  });
});
