/** What another operator, or this one under a former name, left on objects: it becomes the controller's own, or is reported as nobody's. */
export { FormerManagers, type FormerManagersOptions, formerManagersOf } from './former-managers.js';
export { takenOver } from './taken-over.js';
export { TakeoverPass, type TakeoverPassOptions } from './takeover-pass.js';
