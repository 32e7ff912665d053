import { testAsRecorded } from '../stories/test-as-recorded.js';
import { eventStories } from './event-stories.js';
import { replicationControllerStories } from './replication-controller-stories.js';
import { coreStories } from './stories.js';

testAsRecorded([...eventStories, ...replicationControllerStories, ...coreStories]);
