import { testAsRecorded } from '../../stories/test-as-recorded.js';
import { volumeStories } from './stories.js';

testAsRecorded(volumeStories);
