import { testAsRecorded } from '../stories/test-as-recorded.js';
import { discoveryStories } from './stories.js';

testAsRecorded(discoveryStories);
