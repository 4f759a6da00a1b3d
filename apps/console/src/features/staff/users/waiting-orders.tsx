import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  confirmOrder,
  confirmTwoFactorOff,
  rejectOrder,
  rejectTwoFactorOff,
} from "@palisade/contract/http/staff-users";
import type { StaffOrder } from "@palisade/contract/http/staff-user-shapes";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { signedEuros } from "#src/lib/format.ts";
import { paths } from "#src/lib/paths.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Panel } from "#src/ui/panel.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import { StaffActionDialog } from "../staff-action-dialog.tsx";
import { useStaffRole } from "../use-staff-role.ts";
import { orderLabels } from "./labels.ts";
import classes from "./users.module.css";

interface Deciding {
  readonly order: StaffOrder;
  readonly decision: "confirm" | "reject";
}

/** Orders that wait for a second staff member, with the buttons to decide it. */
export function WaitingOrders({ orders }: { orders: readonly StaffOrder[] }) {
  const { t } = useLingui();
  const [deciding, decide] = useState<Deciding | null>(null);
  const isSupport = useStaffRole("support");
  const isBilling = useStaffRole("billing");
  const mayDecide = ({ kind }: StaffOrder) => (kind === "two-factor-off" ? isSupport : isBilling);
  return (
    <Panel
      prominent
      title={<Trans>Waiting for a second person</Trans>}
      note={<Trans>The one who asked cannot confirm it.</Trans>}
      className={classes["waiting"]}
    >
      <ul className={classes["orders"]} aria-label={t`Waiting for a second person`}>
        {orders.map((order) => (
          <li key={order.id}>
            <OrderText order={order} />
            {mayDecide(order) ? (
              <span className={classes["decide"]}>
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => decide({ order, decision: "reject" })}
                >
                  <Trans>Reject</Trans>
                </Button>
                {order.is_own ? null : (
                  <Button size="compact-sm" onClick={() => decide({ order, decision: "confirm" })}>
                    <Trans>Confirm</Trans>
                  </Button>
                )}
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      {deciding === null ? null : <DecisionDialog {...deciding} onClose={() => decide(null)} />}
    </Panel>
  );
}

function OrderText({ order }: { order: StaffOrder }) {
  const { i18n } = useLingui();
  const { locale } = useLocale();
  const staff = order.ordered_by;
  return (
    <span className={classes["order"]}>
      <span>
        <strong>{i18n._(orderLabels[order.kind])}</strong>
        {order.amount_cents === 0 ? null : <> · {signedEuros(locale, order.amount_cents)}</>}
        {order.user_id === null ? null : (
          <>
            {" · "}
            <Link to={paths.staffPage} params={{ section: "users", id: order.user_id }}>
              {order.user_email}
            </Link>
          </>
        )}
      </span>
      <span className={classes["sub"]}>
        <Trans>
          {staff}, <RelativeTime at={order.ordered_at} />:
        </Trans>{" "}
        {order.reason}
      </span>
    </span>
  );
}

function DecisionDialog({ order, decision, onClose }: Deciding & { onClose: () => void }) {
  const { t } = useLingui();
  const isConfirmed = decision === "confirm";
  async function run(reason: string): Promise<string> {
    const body = { reason };
    if (order.kind === "two-factor-off") {
      const route = isConfirmed ? confirmTwoFactorOff : rejectTwoFactorOff;
      return (await call(route, { params: { userId: order.user_id ?? "" }, body })).data.message;
    }
    const route = isConfirmed ? confirmOrder : rejectOrder;
    return (await call(route, { params: { orderId: order.id }, body })).data.message;
  }
  return (
    <StaffActionDialog
      title={isConfirmed ? t`Confirm` : t`Reject`}
      action={isConfirmed ? t`Confirm` : t`Reject`}
      danger={isConfirmed && order.kind === "two-factor-off"}
      run={run}
      onClose={onClose}
    >
      <OrderText order={order} />
    </StaffActionDialog>
  );
}
