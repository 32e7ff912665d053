import { testAsRecorded } from '../../stories/test-as-recorded.js';
import { containerStories } from './stories.js';

testAsRecorded(containerStories);
