import { App } from 'cdk8s';
import { operatorChart, samplesChart } from './charts.js';

const app = new App();
operatorChart(app);
samplesChart(app);
app.synth();
