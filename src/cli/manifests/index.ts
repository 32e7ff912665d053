/** The objects that a user gives to a command: files, folders, patterns and standard input, read as kubectl reads them. The way in is {@link readManifests}. */
export { type FoundManifest, type ManifestReading, readManifests, readText, type UnreadManifest } from './read-manifests.js';
