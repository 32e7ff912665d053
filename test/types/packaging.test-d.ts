import { defineCustomResource, defineOperator } from 'keelson';
import {
  bundleProblems,
  defineOperatorPackage,
  definePackage,
  definePackageSet,
  kindSchemas,
  kustomizeFiles,
  olmBundle,
  olmCatalog,
} from 'keelson/packaging';
import { z } from 'zod';

const Note = defineCustomResource({ group: 'notes.example.com', kind: 'Note', versions: { v1: { spec: z.object({}) } } });
const operator = defineOperator({ name: 'note-operator', customResources: [Note] });
const base = { operator, image: 'registry.example.com/notes:1.0.0', version: '1.0.0' } as const;

// --- an operator ---

const plain = defineOperatorPackage({
  ...base,
  defaults: { replicas: 2, networkPolicy: { enabled: true } },
  // Without values of your own, those of every operator have their types.
  props: ({ values }) => ({ labels: { 'example.com/replicas': values.replicas.toFixed(0) } }),
});
plain.manifests({ image: { tag: '2.0.0' } });
defineOperatorPackage({
  ...base,
  values: z.object({ region: z.string().default('eu') }),
  props: ({ values }) => ({ env: { REGION: values.region } }),
  extras: (_chart, { values, release }) => [values.region.toUpperCase(), values.replicas.toFixed(), release.name],
}).manifests({ region: 'us', crds: { keep: false } });
const apart = defineOperatorPackage({ ...base, crds: 'chart' });
apart.crds?.manifests({ keep: false, annotations: { 'argocd.argoproj.io/sync-wave': '-1' } });

// @ts-expect-error the image is required
defineOperatorPackage({ operator, version: '1.0.0' });
// @ts-expect-error a default of another type
defineOperatorPackage({ ...base, defaults: { replicas: 'two' } });
// @ts-expect-error no such value
defineOperatorPackage({ ...base, defaults: { replica: 2 } });
// @ts-expect-error no such value within a group
defineOperatorPackage({ ...base, defaults: { image: { tags: '1' } } });
// @ts-expect-error no such prop of the Operator
defineOperatorPackage({ ...base, props: () => ({ replicaz: 2 }) });
// @ts-expect-error the package itself says which operator
defineOperatorPackage({ ...base, props: () => ({ operator }) });
// @ts-expect-error no such value of this package
defineOperatorPackage({ ...base, props: ({ values }) => ({ env: { REGION: values.region } }) });
// @ts-expect-error either in the templates or in a chart
defineOperatorPackage({ ...base, crds: 'elsewhere' });
// @ts-expect-error values are a z.object
defineOperatorPackage({ ...base, values: { region: z.string() } });
// @ts-expect-error a text, not a number
plain.manifests({ image: { tag: 2 } });

// --- constructs ---

const words = definePackage({
  name: 'words',
  version: '1.0.0',
  namespace: 'words',
  values: z.object({ text: z.string().default('') }),
  build: (_chart, { values, format }) => [values.text.length, format === 'helm'],
});
words.manifests({ text: 'hello' });
// @ts-expect-error the namespace of the plain manifests is required
definePackage({ name: 'words', version: '1.0.0', build: () => {} });
// @ts-expect-error no such value
words.manifests({ texts: 'hello' });

// --- sets ---

const set = definePackageSet({
  name: 'set',
  version: '1.0.0',
  namespace: 'all',
  packages: { plain, words },
  defaults: { plain: { replicas: 2, enabled: false }, words: { text: 'hi' } },
});
set.manifests({ words: { enabled: false }, plain: { fullnameOverride: 'mine' } });
const options = { name: 'set', version: '1.0.0', namespace: 'all', packages: { plain, words } } as const;
// @ts-expect-error no such package in the set
definePackageSet({ ...options, defaults: { word: { text: 'hi' } } });
// @ts-expect-error no such value of the package
definePackageSet({ ...options, defaults: { words: { test: 'hi' } } });
// @ts-expect-error packages are what definePackage returns
definePackageSet({ ...options, packages: { words: {} } });
// @ts-expect-error enabled is true or false
set.manifests({ words: { enabled: 'no' } });

const common = { operator, image: 'registry.example.com/websites:1', version: '1.0.0' } as const;

// --- overlays: values in part, those of every operator and the author's own ---

const overlaid = defineOperatorPackage({ ...common, overlays: { production: { replicas: 3, image: { tag: '2' } } } });
const own = defineOperatorPackage({
  ...common,
  values: z.object({ region: z.enum(['eu', 'us']).default('eu') }),
  overlays: { us: { region: 'us', certificates: { mode: 'certManager' } } },
});
kustomizeFiles(own);
kindSchemas(overlaid);
overlaid.manifests({ replicas: 2 });

// @ts-expect-error there is no such value
defineOperatorPackage({ ...common, overlays: { production: { replica: 3 } } });
// @ts-expect-error a value of another type
defineOperatorPackage({ ...common, overlays: { production: { replicas: '3' } } });
defineOperatorPackage({
  ...common,
  values: z.object({ region: z.enum(['eu', 'us']).default('eu') }),
  // @ts-expect-error a value that the author's schema does not have
  overlays: { ap: { region: 'ap' } },
});
// @ts-expect-error a package, not an operator
kustomizeFiles(operator);

// --- bundles ---

const facts = {
  displayName: 'Websites',
  provider: { name: 'Example Inc.' },
  minKubeVersion: '1.30.0',
  categories: ['Networking'],
} as const;
const bundle = olmBundle(own, { ...facts, values: { region: 'us', replicas: 2 }, installModes: ['OwnNamespace'], skipRange: '<1.0.0' });
bundleProblems(bundle.files());
olmCatalog(bundle.files(), { image: 'registry.example.com/bundle:1', previous: undefined });
// @ts-expect-error the facts that catalogs need
olmBundle(plain, { displayName: 'Websites' });
// @ts-expect-error there is no such mode
olmBundle(plain, { ...facts, installModes: ['Everywhere'] });
// @ts-expect-error a value of the other package
olmBundle(plain, { ...facts, values: { region: 'us' } });
// @ts-expect-error the image that the catalog names
olmCatalog(bundle.files(), {});
