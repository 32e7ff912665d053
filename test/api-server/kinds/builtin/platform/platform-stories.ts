import { accessStories } from './access-stories.js';
import { admissionStories } from './admission-stories.js';
import type { PlatformStory } from './ask.js';
import { controlPlaneStories } from './control-plane-stories.js';
import { coreStories } from './core-stories.js';
import { networkStories } from './network-stories.js';
import { scalingStories } from './scaling-stories.js';
import { serviceStories } from './service-stories.js';
import { storageStories } from './storage-stories.js';

/** Told to the embedded server without a network, and to it and the real one over it. */
export const platformStories: readonly PlatformStory[] = [
  ...accessStories,
  ...admissionStories,
  ...controlPlaneStories,
  ...coreStories,
  ...networkStories,
  ...scalingStories,
  ...serviceStories,
  ...storageStories,
];
