/** `keelson kubectl-plugin`: a script that sets the annotations that people on call need. Way in: {@link runKubectlPlugin}. */
export { runKubectlPlugin } from './kubectl-plugin-command.js';
