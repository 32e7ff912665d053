import { importLines } from './import-lines.js';
import type { KindNames } from './kind-names.js';

export interface KindFile extends KindNames {
  readonly group: string;
  /** The version that is stored, and that controllers see. */
  readonly version: string;
  /** A version from before, which webhooks convert; `undefined` for a kind with one version. */
  readonly olderVersion?: string | undefined;
  readonly webhooks: boolean;
}

/** A kind with its schema, its children and its controller: one file, in the order in which it is read. */
export function kindFile(options: KindFile): string {
  return `${imports(options)}
${definition(options)}
${children(options)}
${controller(options)}${options.webhooks ? `\n${webhooks(options)}` : ''}`;
}

function imports({ webhooks }: KindFile): string {
  const used = ['type ConditionInput', 'defineController', 'defineCustomResource', 'k', 'type Resource'];
  return importLines({
    keelson: webhooks ? [...used, 'defaulting', 'validating'] : used,
    'keelson/kinds': ['Deployment', 'Service', 'type ServiceInput'],
    zod: ['z'],
  });
}

function definition({ kind, group, version, olderVersion }: KindFile): string {
  const older = olderVersion === undefined ? '' : `\n${olderDefinition(olderVersion)}`;
  const schemas = `const image = z.string().min(1).max(512).default('docker.io/nginxinc/nginx-unprivileged:1.29').describe('Image of the pods.');
const port = k.port().default(8080).describe('Port that the pods listen on.');
const status = z.object({
  replicas: k.int32().optional().describe('Number of pods that exist.'),
  selector: z.string().optional().describe('Label selector of the pods, for the scale subresource.'),
  conditions: k.conditions(),
});
`;
  return `${schemas}
/** Pods of one image, and a Service in front of them. */
export const ${kind} = defineCustomResource({
  group: '${group}',
  kind: '${kind}',
  versions: {
    ${version}: {${olderVersion === undefined ? '' : '\n      storage: true,'}
      spec: z.object({ replicas: k.int32().min(0).max(10).default(1).describe('Number of pods.'), image, port }),
      status,
      // The name is that of a Service too, which has stricter rules than a custom resource.
      rules: [
        {
          rule: "self.metadata.name.matches('^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$')",
          message: 'the name must have at most 63 lower case letters, digits and dashes, and begin with a letter',
        },
      ],
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector' },
      columns: [
        { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' },
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },${older}
  },${olderVersion === undefined ? '' : `\n${conversion(olderVersion)}`}
});

/** An object as the controller sees it: defaults applied. */
export interface ${kind} extends Resource<typeof ${kind}> {}
`;
}

function olderDefinition(version: string): string {
  return `    // As it was before \`size\` became \`replicas\`: clients that know no newer version go on working.
    ${version}: {
      deprecated: true,
      spec: z.object({ size: k.int32().min(0).max(10).default(1).describe('Number of pods.'), image, port }),
      status,
    },`;
}

function conversion(version: string): string {
  return `  convert: {
    ${version}: {
      toStorage: ({ spec: { size, ...spec }, status }) => ({ spec: { ...spec, replicas: size }, status }),
      fromStorage: ({ spec: { replicas, ...spec }, status }) => ({ spec: { ...spec, size: replicas }, status }),
    },
  },`;
}

function children({ kind, file }: KindFile): string {
  return `/** Labels that select the pods of one ${kind}. A selector cannot be changed: what may change belongs elsewhere. */
function labelsOf(name: string): Record<string, string> {
  return { 'app.kubernetes.io/name': '${file}', 'app.kubernetes.io/instance': name };
}

/** The Deployment of a ${kind}. Its pods meet the Pod Security Standard \`restricted\`. */
export function deploymentFor({ metadata: { name }, spec }: ${kind}): Deployment {
  const labels = labelsOf(name);
  return Deployment({
    metadata: { name, labels },
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: '${file}',
              image: spec.image,
              ports: [{ name: 'main', containerPort: spec.port }],
              readinessProbe: { tcpSocket: { port: 'main' } },
              resources: { requests: { cpu: '10m', memory: '32Mi' } },
              securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
            },
          ],
        },
      },
    },
  });
}

/** The Service in front of the pods. */
export function serviceFor({ metadata: { name } }: ${kind}): ServiceInput {
  const labels = labelsOf(name);
  return Service({
    metadata: { name, labels },
    spec: { selector: labels, ports: [{ name: 'main', port: 80, targetPort: 'main' }] },
  });
}
`;
}

function controller({ kind, variable, file }: KindFile): string {
  return `/** Keeps a Deployment and a Service for each ${kind}, and reports in the status what has become of them. */
export const ${variable}Controller = defineController({
  name: '${file}',
  for: ${kind},
  owns: { deployments: Deployment, services: Service },
  reconcile({ object, deployments, done }) {
    const { name } = object.metadata;
    const deployment = deployments.get(name);
    return done({
      owned: { deployments: [deploymentFor(object)], services: [serviceFor(object)] },
      status: { replicas: deployment?.status?.replicas ?? 0, selector: selectorOf(name) },
      conditions: [readiness(object, deployment)],
    });
  },
});

function selectorOf(name: string): string {
  return Object.entries(labelsOf(name))
    .map(([label, value]) => \`\${label}=\${value}\`)
    .join(',');
}

/** \`Ready\`: every pod serves, and runs what the spec says. */
function readiness({ spec }: ${kind}, deployment: Deployment | undefined): ConditionInput {
  // The status is empty until the controller of Deployments has filled it in.
  if (deployment?.status?.observedGeneration === undefined)
    return { type: 'Ready', status: 'Unknown', reason: 'Starting', message: 'the Deployment has not started' };
  const { observedGeneration, replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = deployment.status;
  const isCurrent = observedGeneration === deployment.metadata.generation;
  const ready = isCurrent && [replicas, updatedReplicas, availableReplicas].every((count) => count === spec.replicas);
  const message = \`\${availableReplicas} of \${spec.replicas} pods are available\`;
  return { type: 'Ready', status: ready, reason: ready ? 'PodsReady' : 'RollingOut', message };
}
`;
}

function webhooks({ kind, variable, file }: KindFile): string {
  return `/** Labels the object, which a schema cannot do: its defaults end where metadata begins. */
export const ${variable}Defaults = defaulting(${kind}, ({ metadata }) => {
  metadata.labels = { 'app.kubernetes.io/part-of': '${file}', ...metadata.labels };
});

/** An image whose tag moves is refused. One that is stored already stays, or the object could not be labelled or deleted any more. */
export const ${variable}Checks = validating(${kind}, ({ spec: { image } }, { old }) => {
  const isPinned = /(@sha256:[a-f0-9]{64}|:[^:/]+)$/.test(image) && !image.endsWith(':latest');
  return isPinned || image === old?.spec.image ? [] : [{ path: 'spec.image', message: 'must name a version or a digest, not latest' }];
});
`;
}
