/** `keelson render`: custom resources in, their children out. */
export { type Rendered, render } from './render.js';
export { runRender } from './render-command.js';
