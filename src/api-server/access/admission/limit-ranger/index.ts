export { limitRanger } from './limit-ranger.js';
