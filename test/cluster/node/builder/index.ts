/** Images of Dockerfiles, built as users build them, from projects as users have them. The way in is {@link ImageBuilder}. */

export { ImageBuilder } from './image-builder.js';
export { exampleProject, newProject, npmMounts } from './projects.js';
export { readSavedImage, type SavedImage, savedLayers } from './saved-image.js';
