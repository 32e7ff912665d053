/** Packages as Kustomize bases with overlays. Way in: {@link kustomizeFiles}. */
export { kustomizeFiles } from './kustomize-files.js';
