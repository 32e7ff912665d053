import { explorations } from './explorations.js';
import { sidecarset } from './scenarios/sidecarset.js';

explorations(sidecarset, { count: 70 });
