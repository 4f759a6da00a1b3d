import type { PaymentMethod } from "@palisade/contract/http/billing";
import {
  IconBrandPaypalFilled,
  IconBrandStripeFilled,
  IconBrandVisa,
  IconCreditCard,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./logos.module.css";

/**
 * Logos of providers and card brands, on white in both themes because their colours are made for it.
 * They are decoration beside the name. Stripe, PayPal and Visa come from Tabler Icons (MIT), the rest
 * is drawn here.
 */

export function ProviderLogo({ method }: { method: PaymentMethod }) {
  return (
    <span className={classes["provider"]} data-provider={method} aria-hidden="true">
      {method === "stripe" ? (
        <IconBrandStripeFilled size={20} />
      ) : (
        <IconBrandPaypalFilled size={20} />
      )}
    </span>
  );
}

const brands: Readonly<Record<string, ReactNode>> = {
  visa: <IconBrandVisa size={30} stroke={2.2} />,
  mastercard: <Circles left="#eb001b" right="#f79e1b" overlap="#ff5f00" />,
  maestro: <Circles left="#0099df" right="#ed0006" overlap="#6c6bbd" />,
  amex: <b>AMEX</b>,
};

export function CardLogo({ brand }: { brand: string }) {
  return (
    <span className={classes["card"]} data-brand={brand} aria-hidden="true">
      {brands[brand] ?? <IconCreditCard size={20} stroke={1.6} />}
    </span>
  );
}

interface CirclesProps {
  readonly left: string;
  readonly right: string;
  readonly overlap: string;
}

function Circles({ left, right, overlap }: CirclesProps) {
  return (
    <svg viewBox="0 0 32 20" width={32} height={20}>
      <circle cx="12" cy="10" r="7" fill={left} />
      <circle cx="20" cy="10" r="7" fill={right} />
      <path d="M16 4.26a7 7 0 0 1 0 11.48a7 7 0 0 1 0 -11.48" fill={overlap} />
    </svg>
  );
}
