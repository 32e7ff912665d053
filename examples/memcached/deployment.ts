import { type Container, Deployment } from 'keelson/kinds';
import { imageOf } from './image.js';
import { selectorLabels, versionOf } from './labels.js';
import type { Memcached } from './memcached.js';

/** The Deployment that runs a Memcached; it may run where `pod-security.kubernetes.io/enforce: restricted` rules. @throws Error when no image is known */
export function deploymentFor({ metadata: { name }, spec }: Memcached): Deployment {
  const image = imageOf(spec);
  const selector = selectorLabels(name);
  const labels = { ...selector, 'app.kubernetes.io/version': versionOf(image) };
  return Deployment({
    metadata: { name, labels },
    spec: {
      replicas: spec.size,
      selector: { matchLabels: selector },
      template: {
        metadata: { labels },
        spec: {
          automountServiceAccountToken: false,
          // The image names its user, and the kubelet can judge only a number.
          securityContext: { runAsNonRoot: true, runAsUser: 11211, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [memcachedContainer(image, spec)],
        },
      },
    },
  });
}

function memcachedContainer(image: string, { port, resources }: Memcached['spec']): Container {
  return {
    name: 'memcached',
    image,
    command: ['memcached', '-m', '64', '-p', String(port)],
    ports: [{ name: 'memcached', containerPort: port }],
    readinessProbe: { tcpSocket: { port: 'memcached' } },
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true },
    ...(resources === undefined ? {} : { resources }),
  };
}
