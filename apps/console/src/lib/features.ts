import { productFeatures } from "@palisade/contract/product-features";

declare global {
  interface Window {
    /** Set by tests of the console: they show a feature before the product has it. */
    readonly palisadeFeatures?: Partial<typeof productFeatures>;
  }
}

/** The announced features that the console shows. */
export const features: typeof productFeatures = {
  ...productFeatures,
  ...globalThis.window?.palisadeFeatures,
};
