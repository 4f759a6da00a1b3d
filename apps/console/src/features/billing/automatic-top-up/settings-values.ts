import { automaticTopUp, type AutomaticTopUp } from "@palisade/contract/http/automatic-payments";
import { z } from "zod";

/** The settings as they are typed. */
export interface TopUpForm extends Record<string, unknown> {
  readonly enabled: boolean;
  readonly threshold: string;
  readonly amount: string;
}

const typed = (euros: typeof automaticTopUp.shape.amount) =>
  z
    .string()
    .transform((digits) => (digits === "" ? undefined : Number(digits)))
    .pipe(euros);

/** The contract's rules, for digits that are typed. Amounts do not matter while it is off. */
const whenOn = z.object({
  enabled: z.literal(true),
  threshold: typed(automaticTopUp.shape.threshold),
  amount: typed(automaticTopUp.shape.amount),
});
const whenOff = z.object({ enabled: z.literal(false) });

export const topUpForm = z.discriminatedUnion("enabled", [whenOn, whenOff]);

export function toForm({ enabled, threshold, amount }: AutomaticTopUp): TopUpForm {
  return { enabled, threshold: String(threshold), amount: String(amount) };
}

/** While it is off, amounts stay as they are stored: they may be half typed. */
export function toSettings(form: TopUpForm, stored: AutomaticTopUp): AutomaticTopUp {
  if (!form.enabled) return { ...stored, enabled: false };
  return { enabled: true, threshold: Number(form.threshold), amount: Number(form.amount) };
}

export function isChanged(form: TopUpForm, stored: AutomaticTopUp): boolean {
  const { enabled, threshold, amount } = toForm(stored);
  if (form.enabled !== enabled) return true;
  return enabled && (form.threshold !== threshold || form.amount !== amount);
}
