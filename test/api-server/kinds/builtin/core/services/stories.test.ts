import { testAsRecorded } from '../../stories/test-as-recorded.js';
import { servicesStories } from './stories.js';

testAsRecorded(servicesStories);
