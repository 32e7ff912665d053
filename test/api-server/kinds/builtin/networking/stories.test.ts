import { testAsRecorded } from '../stories/test-as-recorded.js';
import { networkingStories } from './stories.js';

testAsRecorded(networkingStories);
