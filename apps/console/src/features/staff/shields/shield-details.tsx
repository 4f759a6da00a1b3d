import { Button } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  blockShield,
  setBedrockDefault,
  setShieldPlan,
  unblockShield,
  type StaffShieldDetails,
} from "@palisade/contract/http/staff-shields";
import { IconArrowLeft, IconLock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { statusOf } from "#src/api/errors.ts";
import { paths } from "#src/lib/paths.ts";
import { Banner } from "#src/ui/banner.tsx";
import { NotFoundInShell } from "#src/ui/error-pages.tsx";
import { PageHead } from "#src/ui/page-head.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import parts from "../parts/parts.module.css";
import { useMay } from "../parts/use-may.ts";
import { BedrockDialog, BedrockPanel } from "./shield-bedrock.tsx";
import { BlockDialog, PlanDialog, UnblockDialog } from "./shield-dialogs.tsx";
import { AboutPanel, EdgesPanel, NamesPanel, PlanPanel } from "./shield-panels.tsx";
import { ShieldRecord } from "./shield-record.tsx";
import { shieldQuery } from "./shields.queries.ts";

type Dialog = "block" | "unblock" | "plan" | "bedrock";

export function ShieldDetails({ id }: { id: string }) {
  const { t } = useLingui();
  const query = useQuery(shieldQuery(id));
  useDocumentTitle(`${query.data?.server_name ?? t`Shields`} · Palisade`);
  const status = statusOf(query.error);
  // Not an id, or no shield's.
  if (status === 404 || status === 422) return <NotFoundInShell />;
  return (
    <div className={parts["page"]}>
      <Link
        to={paths.staffPage}
        params={{ section: "shields", id: undefined }}
        className={parts["back"]}
      >
        <IconArrowLeft size={15} stroke={1.6} aria-hidden="true" />
        <Trans>Shields</Trans>
      </Link>
      <QueryBoundary query={query} errorTitle={t`The shield could not be loaded`}>
        {(shield) => <Details shield={shield} />}
      </QueryBoundary>
    </div>
  );
}

function Details({ shield }: { shield: StaffShieldDetails }) {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const may = useMay();
  const isBlocked = shield.status === "blocked";
  const isThere = shield.status !== "deleted";
  const close = () => setDialog(null);
  return (
    <>
      <PageHead
        title={shield.server_name}
        aside={
          isThere ? (
            <span className={parts["buttons"]}>
              {may(setShieldPlan) ? (
                <Button variant="default" onClick={() => setDialog("plan")}>
                  <Trans>Change plan</Trans>
                </Button>
              ) : null}
              {may(setBedrockDefault) ? (
                <Button variant="default" onClick={() => setDialog("bedrock")}>
                  {shield.bedrock.default_granted ? (
                    <Trans>Take away the default port</Trans>
                  ) : (
                    <Trans>Grant the default port</Trans>
                  )}
                </Button>
              ) : null}
              {may(isBlocked ? unblockShield : blockShield) ? (
                <Button
                  variant="default"
                  onClick={() => setDialog(isBlocked ? "unblock" : "block")}
                >
                  {isBlocked ? <Trans>Unblock</Trans> : <Trans>Block</Trans>}
                </Button>
              ) : null}
            </span>
          ) : undefined
        }
      />
      {isBlocked ? (
        <Banner tone="danger" icon={<IconLock size={18} stroke={1.6} />}>
          <strong>
            <Trans>This shield is blocked</Trans>
          </strong>
          <p>{shield.blocked_reason ?? <Trans>No reason was given.</Trans>}</p>
        </Banner>
      ) : null}
      <div className={parts["columns"]}>
        <AboutPanel shield={shield} />
        <PlanPanel shield={shield} />
        <NamesPanel shield={shield} />
        <EdgesPanel shield={shield} />
        <BedrockPanel shield={shield} />
      </div>
      <ShieldRecord shield={shield} />
      {dialog === "block" ? <BlockDialog shield={shield} onClose={close} /> : null}
      {dialog === "unblock" ? <UnblockDialog shield={shield} onClose={close} /> : null}
      {dialog === "bedrock" ? <BedrockDialog shield={shield} onClose={close} /> : null}
      {dialog === "plan" ? <PlanDialog shield={shield} onClose={close} /> : null}
    </>
  );
}
