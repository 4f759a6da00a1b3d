import { z } from "zod";
import { timestamp } from "./fields.ts";

/**
 * - `none` the seller charges no VAT
 * - `domestic`, `destination` the rate of the seller's, of the buyer's country
 * - `reverse_charge` a business of another EU country owes it
 * - `outside` the buyer is outside the EU
 */
export const vatTreatments = [
  "none",
  "domestic",
  "destination",
  "reverse_charge",
  "outside",
] as const;

/** The VAT that a purchase of the caller would have now. */
export const callerVat = z
  .object({
    treatment: z.enum(vatTreatments),
    rate: z.string().describe("Per cent, with two digits"),
    country: z.string().nullable().describe("The country of the rate"),
  })
  .meta({ id: "CallerVat" });

/**
 * - `not_checked` the profile has no VAT id, or VIES need not be asked about it
 * - `waiting` VIES has not answered yet
 * - `confirmed`, `refused` the last answer of VIES
 */
export const vatIdStates = ["not_checked", "waiting", "confirmed", "refused"] as const;

export const vatIdCheck = z
  .object({
    state: z.enum(vatIdStates),
    answered_at: timestamp.nullable().describe("When VIES last answered"),
  })
  .meta({ id: "VatIdCheck" });

export type CallerVat = z.infer<typeof callerVat>;
export type VatIdCheck = z.infer<typeof vatIdCheck>;
