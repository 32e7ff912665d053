import { App } from 'cdk8s';
import { addEnvironments } from './environments.js';

const app = new App();
addEnvironments(app, {
  staging: 'registry.example.com/memcached-operator:0.1.0',
  production: 'registry.example.com/memcached-operator:0.1.0',
});
app.synth();
