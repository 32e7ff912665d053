import { testAsRecorded } from '../../stories/test-as-recorded.js';
import { quotasStories } from './stories.js';

testAsRecorded(quotasStories);
