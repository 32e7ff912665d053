import { testAsRecorded } from '../../stories/test-as-recorded.js';
import { podChangeStories } from './change-stories.js';
import { podStories } from './stories.js';
import { podTemplateStories } from './template-stories.js';

testAsRecorded([...podChangeStories, ...podStories, ...podTemplateStories]);
