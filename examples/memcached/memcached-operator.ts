import { defineOperator } from 'keelson';
import { memcachedController } from './controller.js';
import { memoryRequest, oddSize } from './webhooks.js';

export const operator = defineOperator({
  name: 'memcached-operator',
  controllers: [memcachedController],
  webhooks: [memoryRequest, oddSize],
});
