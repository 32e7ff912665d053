/** Fields that another operator, or this one under a former name, wrote: they become the controller's own, so that it can take them away. */
export { FormerManagers, type FormerManagersOptions, formerManagersOf, type ManagerNames } from './former-managers.js';
export { takenOver } from './taken-over.js';
export { TakeoverPass, type TakeoverPassOptions } from './takeover-pass.js';
