import { testAsRecorded } from '../stories/test-as-recorded.js';
import { policyStories } from './stories.js';

testAsRecorded(policyStories);
