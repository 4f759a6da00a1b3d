/** Told at the commit of a txn that needs a document. */
export const documentsDueChannel = "documents_due";
