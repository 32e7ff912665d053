import { testAsRecorded } from '../stories/test-as-recorded.js';
import { autoscalingStories } from './stories.js';

testAsRecorded(autoscalingStories);
