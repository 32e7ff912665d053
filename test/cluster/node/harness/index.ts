export { ApiServerProcess } from './api-server-process.js';
export { type Confinement, confinementOf, containerProcess, containerProcesses, type ProcessTimes, timesOf } from './container-process.js';
export { describeNode, type SharedNode } from './describe-node.js';
export { ETCD_IMAGES, IMAGES, PROXY_FOLDER } from './image-names.js';
export {
  applyManifests,
  deleteManifests,
  installExample,
  operatorFile,
  uninstallExample,
} from './install-example.js';
export { untilAccepted } from './until-accepted.js';
