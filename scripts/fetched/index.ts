/** Programs of the npm registry that suites run: each is fetched once, and kept outside of the tree. */

export { fetchedProgram } from './fetched-program.js';
export { NODE_LINES, type NodeLine, nodeObstacle, nodeProgram } from './node-lines.js';
export { commandOf, OTHER_RUNTIMES, type OtherRuntime } from './other-runtimes.js';
