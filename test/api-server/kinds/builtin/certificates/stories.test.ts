import { testAsRecorded } from '../stories/test-as-recorded.js';
import { certificatesStories } from './stories.js';

testAsRecorded(certificatesStories);
