import type { Project } from './project.js';
import type { TestRunner } from './test-runner.js';

/** A README of a project, but for what its kinds say. */
export interface Readme {
  readonly name: string;
  readonly runner: TestRunner;
  /** The sentences below the title. */
  readonly about: string;
  /** Rows of the table of files: those of the kinds. */
  readonly kinds: readonly ReadmeRow[];
  /** The first test file: its path below `src`, and its content. */
  readonly tests: { readonly file: string; readonly hold: string };
  /** Everything below the table, in Markdown. */
  readonly rest: string;
}

export interface ReadmeRow {
  readonly file: string;
  readonly holds: string;
}

/** The README of every project, whatever it was started from. */
export function readme({ name, runner, about, kinds, tests, rest }: Readme): string {
  const rows = [...kinds, { file: tests.file, holds: `${tests.hold}, run by ${runner}` }];
  return `# ${name}

${about}

\`\`\`sh
npm install          # once; commit package-lock.json, which the image and CI install from
npm test             # the operator on an API server in the test's process: no cluster is needed
npm run typecheck
npm run synth        # the manifests, into dist/
\`\`\`

| file | holds |
|---|---|
${rows.map(({ file, holds }) => `| [src/${file}](src/${file}) | ${holds} |\n`).join('')}| [src/operator.ts](src/operator.ts) | the list of what is installed and runs together |
| [src/main.ts](src/main.ts), [cdk8s.yaml](cdk8s.yaml) | the cdk8s app that writes the manifests |
| [src/run.ts](src/run.ts), [Dockerfile](Dockerfile) | the entry point of the image, and the image |
| [.github](.github) | workflows: tests for each change, a signed image for each tag |

${rest}
## Release it

\`\`\`sh
gh variable set IMAGE --body registry.example.com/${name}   # once; yours, without a tag
git tag v0.1.0 && git push origin v0.1.0
\`\`\`

The workflow \`release\` tests the tag, pushes the image, signs it, and attests the list of its npm packages (CycloneDX). Its summary names the image by its digest.
A registry other than GitHub's also needs the variable \`REGISTRY_USER\` and the secret \`REGISTRY_PASSWORD\`.
`;
}

/** The README of a project that is started from nothing. */
export function newProjectReadme({ name, runner, group, names, version, olderVersion, webhooks }: Project): string {
  const { kind, file, plural } = names;
  const versions = olderVersion === undefined ? version : `${version} and, converted, ${olderVersion}`;
  const parts = `schema, defaults, ${olderVersion === undefined ? '' : 'conversion, '}children, controller${webhooks ? ', webhooks' : ''}`;
  const isServed = webhooks || olderVersion !== undefined;
  return readme({
    name,
    runner,
    about: `A Kubernetes operator for \`${plural}.${group}\` (${versions}), made with keelson: each ${kind} gets a Deployment and a Service,
and reports in its status whether its pods serve.`,
    kinds: [{ file: `${file}.ts`, holds: `the kind: ${parts}` }],
    tests: { file: `${file}.test.ts`, hold: 'its tests' },
    rest: `Start with the schema in src/${file}.ts: CRD, types, roles and manifests follow from it. More kinds, controllers, webhooks and versions: \`npx keelson create --help\`.

## Install it

\`\`\`sh
export IMAGE=registry.example.com/${name}:0.1.0   # yours
docker build -t "$IMAGE" . && docker push "$IMAGE"
npm run synth
kubectl apply --server-side -f dist/${name}.k8s.yaml
kubectl -n ${name}-system rollout status deployment/${name}
kubectl apply -f dist/samples.k8s.yaml
kubectl wait ${plural}.${group}/sample --for=condition=Ready
\`\`\`

${isServed ? 'Without an image, `npm start` runs it against the cluster of your kubeconfig; webhooks and conversion are not served there.' : 'Without an image, `npm start` runs it against the cluster of your kubeconfig. Apply the manifests first, for the CRD; scale the Deployment to 0.'}
`,
  });
}
