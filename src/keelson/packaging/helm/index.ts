/** Packages as Helm charts. Way in: {@link helmChart}. */
export { helmChart } from './helm-chart.js';
