import { testAsRecorded } from '../stories/test-as-recorded.js';
import { schedulingStories } from './stories.js';

testAsRecorded(schedulingStories);
