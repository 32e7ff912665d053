import { testAsRecorded } from '../stories/test-as-recorded.js';
import { flowcontrolStories } from './stories.js';

testAsRecorded(flowcontrolStories);
