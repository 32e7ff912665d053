import { testAsRecorded } from '../stories/test-as-recorded.js';
import { apiregistrationStories } from './stories.js';

testAsRecorded(apiregistrationStories);
