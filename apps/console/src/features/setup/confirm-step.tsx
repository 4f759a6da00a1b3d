import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { PricingPlan, ServerLocation } from "@palisade/contract/http/plans";
import { Link } from "@tanstack/react-router";
import { IconArrowsExchange, IconPlugConnectedX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { euros } from "#src/lib/format.ts";
import { paths } from "#src/lib/paths.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Banner } from "#src/ui/banner.tsx";
import { OrderSummary } from "./order-summary.tsx";
import { changeDraft } from "./draft.ts";
import { InsufficientFunds } from "./insufficient-funds.tsx";
import classes from "./setup.module.css";
import { StepFrame } from "./step-frame.tsx";
import type { CreateShield } from "./use-create-shield.ts";
import { ValueSkeleton } from "./value-skeleton.tsx";
import { useStep } from "./use-step.ts";

interface ConfirmStepProps {
  readonly plan: PricingPlan | undefined;
  readonly location: ServerLocation | undefined;
  readonly isLocationPending: boolean;
  readonly create: CreateShield;
}

/** A summary of the order and the button that buys it. */
export function ConfirmStep({ plan, create, ...props }: ConfirmStepProps) {
  const step = useStep("confirm");
  const { draft } = step;
  // An unanswered submit may have spent the balance, so it may be repeated.
  const isOpen = !create.isDone && !create.isUnanswered;
  const isShort = isOpen && plan !== undefined && !plan.is_available;
  const priceChanged =
    isOpen &&
    plan !== undefined &&
    draft.price_cents !== null &&
    plan.price_cents !== draft.price_cents;
  return (
    <StepFrame
      title={<Trans>Confirmation</Trans>}
      description={<Trans>Check everything once more. You can still change every part.</Trans>}
      onNext={create.submit}
      onBack={step.back}
      busy={create.isBusy || create.isDone}
      blocked={plan === undefined || isShort || priceChanged}
      nextLabel={<Trans>Create GameShield</Trans>}
    >
      <div className={classes["fields"]}>
        <Choices plan={plan} {...props} />
        <OrderSummary plan={plan} />
        {create.isUnanswered && !create.isBusy ? <Unanswered /> : null}
        {priceChanged ? <PriceChanged plan={plan} seenCents={draft.price_cents} /> : null}
        {isShort ? <InsufficientFunds plan={plan} /> : null}
      </div>
    </StepFrame>
  );
}

function Choices({ plan, location, isLocationPending }: Omit<ConfirmStepProps, "create">) {
  const { t } = useLingui();
  const { draft } = useStep("confirm");
  return (
    <dl className={classes["choices"]}>
      <Choice step={1} label={t`Plan`}>
        {plan?.name ?? <ValueSkeleton />}
      </Choice>
      <Choice step={2} label={t`Server name`}>
        {draft.server_name}
      </Choice>
      <Choice step={3} label={t`Forwards to`}>
        <span className="mono">
          {draft.real_ip.includes(":") ? `[${draft.real_ip}]` : draft.real_ip}:{draft.real_port}
        </span>
      </Choice>
      <Choice step={4} label={t`Protection location`}>
        {isLocationPending ? <ValueSkeleton /> : (location?.display_name ?? draft.location)}
      </Choice>
      <Choice step={5} label={t`Domain`}>
        <span className="mono">{draft.free_domain}</span>
        <span className={classes["target"]}>
          CNAME <span className="mono">{draft.cname_record}</span>
        </span>
      </Choice>
    </dl>
  );
}

function Choice(props: { step: number; label: string; children: ReactNode }) {
  const { t } = useLingui();
  const { label } = props;
  return (
    <div>
      <dt>{label}</dt>
      <dd>{props.children}</dd>
      <dd>
        <Link to={paths.setup} search={{ step: props.step }} aria-label={t`Change: ${label}`}>
          <Trans>Change</Trans>
        </Link>
      </dd>
    </div>
  );
}

/** The answer was lost, now or before a reload: explains that trying again is safe. */
function Unanswered() {
  return (
    <Banner
      tone="attack"
      live="assertive"
      icon={<IconPlugConnectedX size={17} stroke={1.6} aria-hidden="true" />}
    >
      <strong>
        <Trans>The connection was lost before an answer came.</Trans>
      </strong>
      <br />
      <Trans>
        Nothing is lost. Press Create GameShield again: the shield is bought only once, however
        often you try.
      </Trans>
    </Banner>
  );
}

/** Buyers pay only a price they have seen, so a changed price must be accepted first. */
function PriceChanged({ plan, seenCents }: { plan: PricingPlan; seenCents: number | null }) {
  const { locale } = useLocale();
  const before = euros(locale, seenCents ?? 0);
  const now = euros(locale, plan.price_cents);
  const { name } = plan;
  return (
    <div className={classes["banner"]}>
      <Banner
        tone="attack"
        live="assertive"
        icon={<IconArrowsExchange size={17} stroke={1.6} aria-hidden="true" />}
        aside={
          <Button size="xs" onClick={() => changeDraft({ price_cents: plan.price_cents })}>
            <Trans>Accept {now}</Trans>
          </Button>
        }
      >
        <strong>
          <Trans>The price of {name} has changed</Trans>
        </strong>
        <br />
        <Trans>
          It was <s>{before}</s> and is now <b>{now}</b> a month. Nothing has been debited.
        </Trans>
      </Banner>
    </div>
  );
}
