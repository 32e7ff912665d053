import { testAsRecorded } from '../../stories/test-as-recorded.js';
import { podVolumeStories } from './stories.js';

testAsRecorded(podVolumeStories);
