/** `keelson docs` and `keelson graph`: reference pages and a picture of an operator, from its definition. Ways in: {@link runDocs}, {@link runGraph}. */
export { runDocs, runGraph } from './docs-command.js';
