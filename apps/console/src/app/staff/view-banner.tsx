import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { endView } from "@palisade/contract/http/staff-users";
import { IconEye } from "@tabler/icons-react";
import { call } from "#src/api/client.ts";
import { forgetView, leaveView, type CustomerView } from "#src/api/session.ts";
import { clock } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import classes from "./view-banner.module.css";

/** Stays in sight while a staff member sees what a customer sees. */
export function ViewBanner({ view }: { view: CustomerView }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const { email } = view;
  const time = clock(locale, new Date(view.expiresAt));

  async function end() {
    // The view's own token ends nothing. A failure leaves the rest of its minutes unused.
    forgetView();
    await call(endView, { params: { viewId: view.id } }).catch(() => undefined);
    leaveView(view);
  }

  return (
    <>
      <div className={classes["room"]} />
      <aside className={classes["banner"]} aria-label={t`View as customer`}>
        <IconEye size={18} stroke={1.6} aria-hidden="true" />
        <p>
          <Trans>
            You are viewing as <strong>{email}</strong> (read only).
          </Trans>{" "}
          <span className={classes["until"]}>
            <Trans>Until {time}</Trans>
          </span>
        </p>
        <Button size="compact-sm" variant="default" onClick={() => void end()}>
          <Trans>End</Trans>
        </Button>
      </aside>
    </>
  );
}
