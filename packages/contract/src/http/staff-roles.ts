import { z } from "zod";
import { tidyLine } from "./tidy-line.ts";

/**
 * Parts of the staff area, given by the command line to each staff member:
 *
 * - `support`    tickets, accounts and shields, without money
 * - `billing`    balances, refunds, promo codes, plans, the providers' quarantine
 * - `operations` locations, edges, incidents, blocking of shields
 * - `admin`      everything
 */
export const staffRoles = ["support", "billing", "operations", "admin"] as const;
export type StaffRole = (typeof staffRoles)[number];

/** Whether one of the caller's roles is among those a route allows; `admin` always is. */
export function hasStaffRole(
  own: readonly StaffRole[],
  allowed: readonly StaffRole[] | undefined,
): boolean {
  return own.includes("admin") || (allowed?.some((role) => own.includes(role)) ?? false);
}

/** The reason of a staff action, kept on record beside it. */
export const staffReason = z
  .string("reason.required")
  .overwrite(tidyLine)
  .min(3, "reason.required")
  .max(500, "reason.max")
  .describe("Kept on record with the action");
