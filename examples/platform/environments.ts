import type { App } from 'cdk8s';
import { PlatformChart } from './platform-chart.js';

/** The image of the operator in each environment. */
export type Images = Readonly<Record<'staging' | 'production', string>>;

// #region environments
/** One chart, and so one file, for each environment. The objects have the same names, because each environment is another cluster. */
export function addEnvironments(app: App, images: Images): void {
  for (const [environment, image] of Object.entries(images))
    new PlatformChart(app, environment, { namespace: 'platform', image, labels: { team: 'platform', environment } });
}
// #endregion
