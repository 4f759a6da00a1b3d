import { Button, Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { PlanQuote } from "@palisade/contract/http/plan-changes";
import { IconClock, IconWallet } from "@tabler/icons-react";
import { useEffect, useRef, type ReactNode } from "react";
import type { HeldQuote } from "./use-held-quote.ts";
import { euros, minutesAndSeconds } from "#src/lib/format.ts";
import { openModal } from "#src/lib/modals.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Banner } from "./banner.tsx";
import { ErrorState } from "./error-state.tsx";
import { LoadingRegion } from "./loading-region.tsx";
import { Day } from "./time.tsx";
import classes from "./plan-quote.module.css";

interface PlanQuoteViewProps {
  readonly held: HeldQuote;
  /** The plan that is left. */
  readonly current: string;
  /** Closes what is around it: the recharge opens in its place. */
  readonly onLeave: () => void;
  /** Reasons that prevent the change to this plan. */
  readonly obstacles?: ReactNode;
}

/** The cost of a change of plan, and its beginning. */
export function PlanQuoteView({ held, current, onLeave, obstacles }: PlanQuoteViewProps) {
  const { t } = useLingui();
  const region = useRef<HTMLElement>(null);
  const { quote, error } = held;
  const shownId = quote?.plan.id ?? null;
  useEffect(() => {
    // The cards before it may fill the dialog.
    if (shownId !== null) region.current?.scrollIntoView({ block: "nearest" });
  }, [shownId]);

  if (error !== null && !held.isAsking) {
    return (
      <ErrorState compact error={error} title={t`The price is not known`} onRetry={held.ask} />
    );
  }
  if (quote === undefined) {
    return (
      <LoadingRegion className={classes["quote"]}>
        <Skeleton height={18} />
        <Skeleton height={18} />
        <Skeleton height={18} />
      </LoadingRegion>
    );
  }
  return (
    <section ref={region} className={classes["quote"]} aria-label={t`What the change costs`}>
      {quote.kind === "now" ? <NowSums quote={quote} /> : <LaterSums quote={quote} />}
      {quote.kind === "now" ? (
        <HeldFor held={held} />
      ) : (
        <p className={classes["hint"]}>
          <Trans>
            Nothing is charged now. Until <Day at={quote.effective_at} /> everything stays as it is
            on the {current} plan, and you can cancel the change.
          </Trans>
        </p>
      )}
      {obstacles}
      {quote.missing_cents > 0 ? <Missing quote={quote} onLeave={onLeave} /> : null}
    </section>
  );
}

function NowSums({ quote }: { quote: PlanQuote }) {
  const { locale } = useLocale();
  return (
    <dl className={classes["sums"]}>
      <Sum name={<Trans>Price per month, excluding tax</Trans>}>
        {euros(locale, quote.price_cents)}
      </Sum>
      <Sum name={<Trans>You pay now</Trans>} isResult>
        {euros(locale, quote.due_cents)}
      </Sum>
      {quote.vat_cents === 0 ? null : (
        <Sum name={<Trans>of which VAT</Trans>}>{euros(locale, quote.vat_cents)}</Sum>
      )}
      <Sum name={<Trans>Balance after</Trans>}>
        {quote.balance_after_cents === null ? "–" : euros(locale, quote.balance_after_cents)}
      </Sum>
      {quote.period_ends_at === null ? null : (
        <Sum name={<Trans>Paid until</Trans>}>
          <Day at={quote.period_ends_at} />
        </Sum>
      )}
    </dl>
  );
}

function LaterSums({ quote }: { quote: PlanQuote }) {
  const { locale } = useLocale();
  return (
    <dl className={classes["sums"]}>
      <Sum name={<Trans>Begins on</Trans>}>
        <Day at={quote.effective_at} />
      </Sum>
      <Sum name={<Trans>Price per month, excluding tax</Trans>}>
        {euros(locale, quote.price_cents)}
      </Sum>
      <Sum name={<Trans>You pay now</Trans>} isResult>
        {euros(locale, 0)}
      </Sum>
    </dl>
  );
}

function Sum(props: { name: ReactNode; isResult?: boolean; children: ReactNode }) {
  return (
    <div data-result={props.isResult || undefined}>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

/** Only a new price is announced, not every second. */
function HeldFor({ held }: { held: HeldQuote }) {
  const left = minutesAndSeconds(held.secondsLeft);
  return (
    <p className={classes["hint"]}>
      <IconClock size={14} stroke={1.6} aria-hidden="true" />
      <span role="status">
        {held.wasRenewed ? <Trans>The price was asked for again.</Trans> : null}
      </span>{" "}
      {held.isAsking ? (
        <Trans>The price is being asked for…</Trans>
      ) : (
        <span role="timer">
          <Trans>This price is held for {left}.</Trans>
        </span>
      )}
    </p>
  );
}

function Missing({ quote, onLeave }: { quote: PlanQuote; onLeave: () => void }) {
  const { locale } = useLocale();
  const missing = euros(locale, quote.missing_cents);
  return (
    <Banner
      tone="attack"
      live="polite"
      icon={<IconWallet size={17} stroke={1.6} aria-hidden="true" />}
      stacks
      aside={
        <Button
          size="xs"
          onClick={() => {
            onLeave();
            openModal("recharge balance", { amount: Math.ceil(quote.missing_cents / 100) });
          }}
        >
          <Trans>Recharge balance</Trans>
        </Button>
      }
    >
      <strong>
        <Trans>Insufficient funds</Trans>
      </strong>
      <br />
      <Trans>You need {missing} more.</Trans>
    </Banner>
  );
}

/** The reason for which a change was refused, beside its button. */
export function PlanRefusal({ refusal }: { readonly refusal: string | null }) {
  if (refusal === null) return null;
  return (
    <p className={classes["refusal"]} role="alert">
      {refusal}
    </p>
  );
}
