/** Fields that another operator left to this one: they become its own, so that it can take them away. */
export { FormerManagers, type FormerManagersOptions, formerManagersOf, type ManagerNames } from './former-managers.js';
export { takenOver } from './taken-over.js';
