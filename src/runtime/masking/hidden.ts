/** Replaces a credential. */
export const HIDDEN = '[hidden]';
