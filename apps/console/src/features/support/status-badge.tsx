import { useLingui } from "@lingui/react/macro";
import type { TicketStatus } from "@palisade/contract/http/tickets";
import classes from "./support.module.css";
import { statusLabels } from "./ticket-labels.ts";

export function StatusBadge({ status }: { status: TicketStatus }) {
  const { i18n } = useLingui();
  return (
    <span className={classes["badge"]} data-status={status}>
      {i18n._(statusLabels[status])}
    </span>
  );
}
