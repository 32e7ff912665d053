/** What stands in the place of a credential. */
export const HIDDEN = '[hidden]';
