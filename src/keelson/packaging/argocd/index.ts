/** Health of custom resources for Argo CD, as Lua. */
export { argoCdHealth } from './argocd-health.js';
export { healthScript } from './health-script.js';
