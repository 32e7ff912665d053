import { testAsRecorded } from '../stories/test-as-recorded.js';
import { storageStories } from './stories.js';

testAsRecorded(storageStories);
