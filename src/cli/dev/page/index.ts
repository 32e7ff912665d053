/** The page of `keelson dev`: the objects of the operator and their runs in a browser. Way in: {@link startPage}. */
export { type Page, startPage } from './page.js';
