/** Container images of local files, without a registry or a daemon: the same files give the same bytes. */

export { busyboxImage, memcachedImage } from './debian-images.js';
export { EXAMPLES, type Example, exampleImages } from './example-images.js';
export { buildImage, type Image, type ImageConfig, type ImageOptions } from './image.js';
export type { LayerContent } from './layer.js';
export { bundleOperator } from './operator-bundle.js';
export { type OperatorImageOptions, operatorImage } from './operator-image.js';
