import { busyboxImage, exampleImages, type Image, memcachedImage, operatorImage } from '../../../../scripts/images/index.js';
import { IMAGES, PROXY_FOLDER } from './image-names.js';

/** As containerd names it: without a registry an image is one of docker.io. */
const familiar = (name: string): string => (name.includes('/') ? name : `docker.io/library/${name}`);

const proxy = (name: string, version: string): Image => busyboxImage(name, { [`${PROXY_FOLDER}/version`]: version });

export async function suiteImages(root: string): Promise<readonly Image[]> {
  return [
    busyboxImage(IMAGES.app),
    proxy(IMAGES.proxy1, '1'),
    proxy(IMAGES.proxy2, '2'),
    memcachedImage(familiar(IMAGES.otherMemcached)),
    await operatorImage({ root, example: 'memcached', name: IMAGES.otherMemcachedOperator }),
    ...(await exampleImages(root, 'memcached')),
    ...(await exampleImages(root, 'sidecarset')),
    ...(await exampleImages(root, 'etcd')),
  ];
}
