import { defineOperator } from 'keelson';
import { bindingControllers } from './binding-controllers.js';
import { prometheusController } from './controller.js';
import { ruleChecks } from './webhooks.js';

export const operator = defineOperator({
  name: 'prometheus-operator',
  controllers: [prometheusController, ...bindingControllers],
  webhooks: [ruleChecks],
});
