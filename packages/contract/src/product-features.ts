/**
 * Which announced features exist. Texts, plan cards and the landing page describe a feature only
 * where its entry is true; the change that brings the feature sets it.
 */
export const productFeatures: Readonly<
  Record<
    "bedrock" | "attackNotifications" | "tickets" | "supportPlans" | "renewals" | "invoices",
    boolean
  >
> = {
  bedrock: true,
  /** By e-mail and webhook, when an attack on a shield starts and ends. */
  attackNotifications: true,
  tickets: true,
  supportPlans: true,
  renewals: true,
  invoices: true,
};
