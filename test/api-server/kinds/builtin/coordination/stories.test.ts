import { testAsRecorded } from '../stories/test-as-recorded.js';
import { coordinationStories } from './stories.js';

testAsRecorded(coordinationStories);
