import { defineOperator } from 'keelson';
import { cronJobController } from './controller.js';
import { restartPolicy, scheduleChecks } from './webhooks.js';

export const operator = defineOperator({
  name: 'cronjob-operator',
  controllers: [cronJobController],
  webhooks: [restartPolicy, scheduleChecks],
});
