import path from "node:path";

/** Folder of the checkout under test. */
export const checkout = path.resolve(import.meta.dirname, "../../../..");
