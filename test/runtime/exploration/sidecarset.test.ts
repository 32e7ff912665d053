import { explorations } from './explorations.js';
import { sidecarset } from './scenarios/sidecarset.js';

explorations(sidecarset, { count: 70, kept: [8_981_846_051] });
