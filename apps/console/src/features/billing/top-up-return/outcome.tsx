import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { PaymentIntent } from "@palisade/contract/http/billing";
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowRight,
  IconCircleCheck,
  IconCircleX,
  IconClockX,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { euros } from "#src/lib/format.ts";
import { openModal } from "#src/lib/modals.ts";
import { paths } from "#src/lib/paths.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Banner } from "#src/ui/banner.tsx";
import { ContactSupport } from "#src/ui/contact-support.tsx";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { LinkButton } from "#src/ui/link-button.tsx";
import { SandboxBadge } from "../sandbox-badge.tsx";
import classes from "./return-panel.module.css";

interface OutcomeProps {
  readonly intent: PaymentIntent;
  readonly aside: ReactNode;
}

/** The result of a top-up, and what the user can do next. */
export function Outcome({ intent, aside }: OutcomeProps) {
  switch (intent.status) {
    case "completed":
      return <Credited intent={intent} aside={aside} />;
    case "review":
      return <InReview intent={intent} aside={aside} />;
    case "cancelled":
      return (
        <Ended intent={intent} aside={aside} icon={<IconCircleX size={18} stroke={1.6} />}>
          <Trans>Payment cancelled</Trans>
        </Ended>
      );
    case "expired":
      return (
        <Ended intent={intent} aside={aside} icon={<IconClockX size={18} stroke={1.6} />}>
          <Trans>The payment page has expired</Trans>
        </Ended>
      );
    case "pending":
      return null;
    default:
      return intent.status satisfies never;
  }
}

function Credited({ intent, aside }: OutcomeProps) {
  const { locale } = useLocale();
  const total = euros(locale, intent.total_cents);
  const paid = euros(locale, intent.amount_cents);
  const bonus = euros(locale, intent.bonus_cents);
  const code = intent.promo?.code ?? "";
  return (
    <Banner
      tone="protected"
      live="polite"
      icon={<IconCircleCheck size={18} stroke={1.6} />}
      aside={aside}
    >
      <strong>
        <Trans>{total} credited to your balance</Trans>
      </strong>{" "}
      {intent.is_sandbox ? <SandboxBadge /> : null}
      <p className={classes["detail"]}>
        {intent.bonus_cents > 0 ? (
          <Trans>
            {paid} paid and {bonus} bonus.
          </Trans>
        ) : (
          <Trans>{paid} paid.</Trans>
        )}
      </p>
      {intent.promo?.state === "not_applied" ? (
        <p className={classes["detail"]}>
          <Trans>The promo code {code} was used up before you paid, so it added no bonus.</Trans>
        </p>
      ) : null}
      <ContinueSetup />
    </Banner>
  );
}

/** Leads back to the setup if the user topped up while adding a server. */
function ContinueSetup() {
  if (sessionStorage.getItem("setup_draft") === null) return null;
  return (
    <LinkButton
      to={paths.setup}
      size="xs"
      className={classes["action"] ?? ""}
      rightSection={<IconArrowRight size={15} stroke={1.8} />}
    >
      <Trans>Continue setting up your server</Trans>
    </LinkButton>
  );
}

/** The user returned without paying. The order is still open, so it may still be paid. */
export function Unpaid({ intent, aside }: OutcomeProps) {
  return (
    <Ended
      intent={intent}
      aside={aside}
      icon={<IconArrowBackUp size={18} stroke={1.6} />}
      detail={
        <Trans>
          Nothing was charged. If you did pay after all, the balance is credited as soon as the
          payment provider confirms it.
        </Trans>
      }
    >
      <Trans>You came back without paying</Trans>
    </Ended>
  );
}

interface EndedProps extends OutcomeProps {
  readonly icon: ReactNode;
  readonly detail?: ReactNode;
  readonly children: ReactNode;
}

function Ended(props: EndedProps) {
  return (
    <Banner tone="neutral" live="polite" icon={props.icon} aside={props.aside}>
      <strong>{props.children}</strong>
      <p className={classes["detail"]}>
        {props.detail ?? <Trans>Nothing was charged and your balance is unchanged.</Trans>}
      </p>
      <Button
        variant="default"
        size="xs"
        className={classes["action"] ?? ""}
        onClick={() => openModal("recharge balance", { amount: props.intent.amount_cents / 100 })}
      >
        <Trans>Try again</Trans>
      </Button>
    </Banner>
  );
}

function InReview({ intent, aside }: OutcomeProps) {
  const { t } = useLingui();
  const number = intent.id;
  return (
    <Banner
      tone="danger"
      live="assertive"
      icon={<IconAlertTriangle size={18} stroke={1.6} />}
      aside={aside}
    >
      <strong>
        <Trans>Your payment is being reviewed</Trans>
      </strong>
      <p className={classes["detail"]}>
        <Trans>
          The payment provider reports something other than what was ordered, so nothing has been
          credited yet. Your payment is on record. Please{" "}
          <ContactSupport category="billing" subject={t`Payment ${number} is being reviewed`}>
            contact support
          </ContactSupport>{" "}
          and give this number:
        </Trans>
      </p>
      <p className={classes["number"]}>
        <span className="mono">{intent.id}</span>
        <CopyButton value={intent.id} label={t`Copy the number`} />
      </p>
    </Banner>
  );
}
