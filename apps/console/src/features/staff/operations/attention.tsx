import { Plural, Trans } from "@lingui/react/macro";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { listQuarantine } from "@palisade/contract/http/staff-books";
import { listEdges } from "@palisade/contract/http/staff-edges";
import type { Operations } from "@palisade/contract/http/staff-operations";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { paths } from "#src/lib/paths.ts";
import { Banner } from "#src/ui/banner.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { Day } from "#src/ui/time.tsx";
import { useMay } from "../parts/use-may.ts";
import classes from "./operations.module.css";

interface Item {
  readonly key: string;
  readonly text: ReactNode;
  /** The section where it is put right, and the call that it begins with. */
  readonly section?: string;
  readonly route?: Pick<RouteDefinition, "staffRoles">;
}

/** Lists everything that staff have to look at, each with the way there. */
export function Attention({ state }: { state: Operations }) {
  const may = useMay();
  const items = itemsOf(state);
  if (items.length === 0) {
    return (
      <Banner tone="protected" icon={<IconCircleCheck size={18} stroke={1.6} />}>
        <Trans>Everything works: nothing waits for staff.</Trans>
      </Banner>
    );
  }
  return (
    <Panel title={<Trans>Needs attention</Trans>} prominent>
      <ul className={classes["attention"]}>
        {items.map(({ key, text, section, route }) => {
          const isOpen = route !== undefined && may(route);
          return (
            <li key={key}>
              <IconAlertTriangle size={16} stroke={1.6} aria-hidden="true" />
              {section !== undefined && isOpen ? (
                <Link to={paths.staffPage} params={{ section, id: undefined }}>
                  {text}
                </Link>
              ) : (
                <span>{text}</span>
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

function itemsOf({ edges, mails, webhooks, money, jobs }: Operations): readonly Item[] {
  const items: (Item | false)[] = [
    money.frozen_since !== null && {
      key: "frozen",
      section: "payments",
      route: listQuarantine,
      text: (
        <Trans>
          Purchases are frozen since <Day at={money.frozen_since} />
        </Trans>
      ),
    },
    money.quarantined > 0 && {
      key: "quarantine",
      section: "payments",
      route: listQuarantine,
      text: (
        <Plural
          value={money.quarantined}
          one="# payment matches no order"
          other="# payments match no order"
        />
      ),
    },
    money.orders_waiting > 0 && {
      key: "orders",
      section: "users",
      route: listQuarantine,
      text: (
        <Plural
          value={money.orders_waiting}
          one="# order waits for a second staff member"
          other="# orders wait for a second staff member"
        />
      ),
    },
    (money.last_comparison?.differences ?? 0) > 0 && {
      key: "comparison",
      section: "payments",
      route: listQuarantine,
      text: <Trans>The newest list of a payment provider does not fit the ledger</Trans>,
    },
    edges.offline > 0 && {
      key: "offline",
      section: "edges",
      route: listEdges,
      text: <Plural value={edges.offline} one="# edge is offline" other="# edges are offline" />,
    },
    edges.rejecting > 0 && {
      key: "rejecting",
      section: "edges",
      route: listEdges,
      text: (
        <Plural
          value={edges.rejecting}
          one="# shield has a configuration that an edge rejected"
          other="# shields have a configuration that an edge rejected"
        />
      ),
    },
    mails.failed > 0 && {
      key: "mails",
      text: (
        <Plural
          value={mails.failed}
          one="# mail was given up within the last hour"
          other="# mails were given up within the last hour"
        />
      ),
    },
    webhooks.failed > 0 && {
      key: "webhooks",
      text: (
        <Plural
          value={webhooks.failed}
          one="# webhook message was given up within 24 hours"
          other="# webhook messages were given up within 24 hours"
        />
      ),
    },
    jobs.some(({ name, failed }) => failed > 0 && !name.startsWith("mail.")) && {
      key: "jobs",
      text: <Trans>A job was given up: see the list below</Trans>,
    },
  ];
  return items.filter((item) => item !== false);
}
