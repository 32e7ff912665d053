export { containerProcess } from './container-process.js';
export { describeNode } from './describe-node.js';
export { IMAGES, PROXY_FOLDER } from './image-names.js';
export { installExample, uninstallExample } from './install-example.js';
export { untilAccepted } from './until-accepted.js';
