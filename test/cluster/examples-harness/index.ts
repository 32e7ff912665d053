export { DeployedExample, type DeploymentOptions } from './deployed-example.js';
export { OperatorPods } from './operator-pods.js';
export { OperatorProcess } from './operator-process.js';
export { untilForbidden, unusedRights } from './rights.js';
export { scrape } from './scrape.js';
