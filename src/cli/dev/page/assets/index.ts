/** The markup, style and script of the page as texts: both copies of the package carry them, wherever they are bundled to. */
export { MARKUP } from './markup.js';
export { SCRIPT } from './script.js';
export { STYLE } from './style.js';
