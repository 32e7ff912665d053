import { testAsRecorded } from '../stories/test-as-recorded.js';
import { batchStories } from './stories.js';

testAsRecorded(batchStories);
