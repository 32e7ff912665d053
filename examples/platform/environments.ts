import type { App } from 'cdk8s';
import { PlatformChart } from './platform-chart.js';

/** The image of the operator in each environment. */
export type Images = Readonly<Record<'staging' | 'production', string>>;

// #region environments
/** One chart for each environment, which is one file: the names of their objects are equal, as each goes to a cluster of its own. */
export function addEnvironments(app: App, images: Images): void {
  for (const [environment, image] of Object.entries(images))
    new PlatformChart(app, environment, { namespace: 'platform', image, labels: { team: 'platform', environment } });
}
// #endregion
