import { testAsRecorded } from '../stories/test-as-recorded.js';
import { admissionregistrationStories } from './stories.js';

testAsRecorded(admissionregistrationStories);
