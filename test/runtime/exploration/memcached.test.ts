import { explorations } from './explorations.js';
import { memcached } from './scenarios/memcached.js';

explorations(memcached, { count: 110 });
