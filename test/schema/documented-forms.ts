export const documentedForms: readonly { readonly name: string; readonly schema: () => unknown }[] = [];
