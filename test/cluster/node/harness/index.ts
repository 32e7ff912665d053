export { type Confinement, confinementOf, containerProcess, type ProcessTimes, timesOf } from './container-process.js';
export { describeNode } from './describe-node.js';
export { IMAGES, PROXY_FOLDER } from './image-names.js';
export {
  applyManifests,
  deleteManifests,
  installExample,
  operatorFile,
  uninstallExample,
} from './install-example.js';
export { untilAccepted } from './until-accepted.js';
