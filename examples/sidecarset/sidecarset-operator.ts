import { defineOperator } from 'keelson';
import { sidecarSetController } from './controller.js';
import { podSidecars, sidecarDefaults, sidecarSetChecks } from './webhooks.js';

export const operator = defineOperator({
  name: 'sidecarset-operator',
  controllers: [sidecarSetController],
  webhooks: [podSidecars, sidecarDefaults, sidecarSetChecks],
});
