import { missing, type FieldRule } from "./rules.ts";

/** The rules of a top-up: digits only, from 1 euro. */

const digits = { en: "Only whole euros, digits only", ru: "Только целые евро, только цифры" };
const minimum = { en: "Minimum amount is 1€", ru: "Минимальная сумма — 1€" };
const maximum = { en: "Maximum amount is 1000€", ru: "Максимальная сумма — 1000€" };

export const amountRules: readonly FieldRule[] = [
  { field: "amount", value: missing, typed: null, en: "Enter an amount", ru: "Введите сумму" },
  { field: "amount", value: 0, typed: "0", ...minimum },
  { field: "amount", value: -1, typed: null, ...minimum },
  { field: "amount", value: 1.5, typed: null, ...digits },
  { field: "amount", value: 1001, typed: "1001", ...maximum },
  { field: "amount", value: 1000.01, typed: null, ...digits },
];

/** Refused whatever is said of them: the type is wrong already. */
export const amountOddities: readonly unknown[] = ["20", "1e3", "２０", null, 2 ** 53, [20], {}];

export const methodRules: readonly FieldRule[] = [
  {
    field: "payment_method",
    value: "cash",
    typed: null,
    en: "Payment method must be stripe or paypal",
    ru: "Способ оплаты: stripe или paypal",
  },
  {
    field: "payment_method",
    value: "paypal",
    typed: null,
    en: "This payment method belongs to another call",
    ru: "Этот способ оплаты относится к другому вызову",
  },
];
