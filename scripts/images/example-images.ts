import { ETCD_VERSION } from '../cluster/binaries.js';
import { findTool } from '../cluster/go-tool.js';
import { findNodeTools } from '../cluster/node/node-tools.js';
import { TOOLS } from '../cluster/programs.js';
import { busyboxImage, memcachedImage } from './debian-images.js';
import { buildImage, type Image } from './image.js';
import { operatorImage } from './operator-image.js';

/** Examples whose operators run in Pods, by their folders. */
export const EXAMPLES = ['cronjob', 'etcd', 'memcached', 'prometheus', 'sidecarset'] as const;
export type Example = (typeof EXAMPLES)[number];

/** The name under which an example's manifests ask for its operator. */
const operatorImageName = (example: Example): string => `registry.example.com/${example}-operator:0.1.0`;

const BACKUP_OPERATOR = 'registry.example.com/etcd-backup-operator:0.1.0';

/** All that Pods of an example ask for, and this machine has: the image of its operator, and those of what the operator runs. */
export async function exampleImages(root: string, example: Example): Promise<readonly Image[]> {
  const images = [await operatorImage({ root, example, name: operatorImageName(example) })];
  if (example === 'memcached') images.push(memcachedImage('docker.io/library/memcached:1.6'));
  if (example === 'etcd') {
    images.push(await operatorImage({ root, example, name: BACKUP_OPERATOR, others: ['backup-operator.ts'] }));
    // Its members wait for their names in busybox.
    images.push(...etcdImages(), busyboxImage('docker.io/library/busybox:1.28.0-glibc'));
  }
  if (example === 'cronjob' || example === 'sidecarset') images.push(busyboxImage('docker.io/library/busybox:1.37'));
  return images;
}

/** Images of the versions that were built on this machine, with etcdutl, which restores use. */
function etcdImages(): readonly Image[] {
  const path = '/usr/local/bin/etcd';
  const etcdutl = findTool('etcdutl');
  const tools = etcdutl.found ? { '/usr/local/bin/etcdutl': etcdutl.path } : {};
  const image = (version: string, program: string): Image =>
    buildImage({
      name: `quay.io/coreos/etcd:${version}`,
      config: { entrypoint: [path], user: '65532:65532' },
      layers: [{ copies: { [path]: program, ...tools } }],
    });
  const [older, node] = [findTool('etcd-3.5'), findNodeTools()];
  return [
    ...(older.found ? [image(TOOLS['etcd-3.5'].version, older.path)] : []),
    ...(node.found ? [image(ETCD_VERSION, node.tools.etcd)] : []),
  ];
}
