import { testAsRecorded } from '../stories/test-as-recorded.js';
import { rbacStories } from './stories.js';

testAsRecorded(rbacStories);
