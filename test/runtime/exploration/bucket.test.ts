import { explorations } from './explorations.js';
import { bucket } from './scenarios/bucket.js';

explorations(bucket, 475);
