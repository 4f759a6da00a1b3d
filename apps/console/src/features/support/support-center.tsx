import { Trans, useLingui } from "@lingui/react/macro";
import { ticketCategories } from "@palisade/contract/http/tickets";
import {
  IconChevronRight,
  IconCreditCard,
  IconMessageQuestion,
  IconTool,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { paths } from "#src/lib/paths.ts";
import { Panel } from "#src/ui/panel.tsx";
import { Status } from "#src/ui/status.tsx";
import { categoryLabels } from "#src/ui/ticket-labels.ts";
import classes from "./support.module.css";

const icons = {
  billing: <IconCreditCard size={18} stroke={1.6} />,
  technical: <IconTool size={18} stroke={1.6} />,
  sales: <IconMessageQuestion size={18} stroke={1.6} />,
};

/** The categories of tickets; each opens the form of a new ticket. */
export function SupportCenter() {
  const { t, i18n } = useLingui();
  return (
    <Panel prominent title={t`Support Center`} note={t`Choose what your question is about.`}>
      <ul className={classes["categories"]}>
        {ticketCategories.map((category) => (
          <li key={category}>
            <Link to={paths.support} search={{ new: category }} className={classes["category"]}>
              <span className={classes["categoryIcon"]} aria-hidden="true">
                {icons[category]}
              </span>
              <span className={classes["categoryName"]}>{i18n._(categoryLabels[category])}</span>
              <Status tone="protected">
                <Trans>Available</Trans>
              </Status>
              <IconChevronRight size={16} stroke={1.6} aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
      <p className={classes["hint"]}>
        <Trans>
          Your support plan says how soon we answer.{" "}
          <Link to={paths.supportPlans}>Support plans</Link>
        </Trans>
      </p>
    </Panel>
  );
}
