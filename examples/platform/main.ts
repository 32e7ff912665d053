import { App } from 'cdk8s';
import { PlatformChart } from './platform-chart.js';

const app = new App();
new PlatformChart(app, 'platform', {
  namespace: 'platform',
  image: 'registry.example.com/memcached-operator:0.1.0',
  labels: { team: 'platform' },
});
app.synth();
