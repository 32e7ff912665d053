import { App } from 'cdk8s';
import { backupOperatorChart, operatorChart, samplesChart } from './charts.js';

const app = new App();
operatorChart(app);
backupOperatorChart(app);
samplesChart(app);
app.synth();
