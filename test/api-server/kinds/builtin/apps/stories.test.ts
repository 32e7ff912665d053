import { testAsRecorded } from '../stories/test-as-recorded.js';
import { appsStories } from './stories.js';

testAsRecorded(appsStories);
