/** Templates that were, kept as ControllerRevisions. */
export { type History, type Revised, RevisionHistory, type Template, templateIn } from './revision-history.js';
