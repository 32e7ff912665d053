import type { Project } from './project.js';

export function readme({ name, group, names: { kind, file, plural }, version, olderVersion, webhooks, runner }: Project): string {
  const versions = olderVersion === undefined ? version : `${version} and, converted, ${olderVersion}`;
  return `# ${name}

A Kubernetes operator for \`${plural}.${group}\` (${versions}), made with keelson: each ${kind} gets a Deployment and a Service,
and reports in its status whether its pods serve.

\`\`\`sh
npm install          # once; commit package-lock.json, which the image and CI install from
npm test             # the operator on an API server in the test's process: no cluster is needed
npm run typecheck
npm run synth        # the manifests, into dist/
\`\`\`

| file | holds |
|---|---|
| [src/${file}.ts](src/${file}.ts) | the kind: schema, defaults, ${olderVersion === undefined ? '' : 'conversion, '}children, controller${webhooks ? ', webhooks' : ''} |
| [src/${file}.test.ts](src/${file}.test.ts) | its tests, run by ${runner} |
| [src/operator.ts](src/operator.ts) | the list of what is installed and runs together |
| [src/main.ts](src/main.ts), [cdk8s.yaml](cdk8s.yaml) | the cdk8s app that writes the manifests |
| [src/run.ts](src/run.ts), [Dockerfile](Dockerfile) | the entry point of the image, and the image |

Start with the schema in src/${file}.ts: CRD, types, roles and manifests follow from it. More kinds, controllers and webhooks: \`npx keelson create --help\`.

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

${webhooks || olderVersion !== undefined ? 'Without an image, `npm start` runs it against the cluster of your kubeconfig; webhooks and conversion are not served there.' : 'Without an image, `npm start` runs it against the cluster of your kubeconfig. Apply the manifests first, for the CRD; scale the Deployment to 0.'}
`;
}
