/** `keelson diff`: what a new release of manifests breaks, narrows and widens. Way in: {@link runDiff}. */
export { runDiff } from './diff-command.js';
