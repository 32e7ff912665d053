/** Nodes that are not there, and their addresses. */
export { Addresses } from './addresses.js';
export { nodeController, nodeWriter } from './node-controller.js';
export { addressOf, nodeObject } from './node-object.js';
