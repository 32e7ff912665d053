import { testAsRecorded } from '../stories/test-as-recorded.js';
import { nodeStories } from './stories.js';

testAsRecorded(nodeStories);
