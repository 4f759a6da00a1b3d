import { Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { IconArrowLeft } from "@tabler/icons-react";
import { paths } from "#src/lib/paths.ts";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { ShieldStatus } from "#src/ui/shield-status.tsx";
import classes from "./shield.module.css";
import { ShieldMenu } from "./shield-menu.tsx";
import { overviewQuery } from "./shield.queries.ts";

/** Polling interval outside the overview, which polls more often. */
const stateMs = 15_000;

export function ShieldHeader({ shield }: { shield: Server }) {
  const { t } = useLingui();
  const { data: live } = useQuery({ ...overviewQuery(shield.id), refetchInterval: stateMs });
  const plan = shield.pricing_plan.name;
  return (
    <header className={classes["header"]}>
      <Link to={paths.dashboard} className={classes["back"]} aria-label={t`Back to the dashboard`}>
        <IconArrowLeft size={18} stroke={1.6} />
      </Link>
      <div className={classes["identity"]}>
        <div className={classes["title"]}>
          <h1>{shield.server_name}</h1>
          <ShieldStatus
            status={shield.status}
            underAttack={live?.under_attack ?? false}
            isUsedUp={live?.traffic_used_up ?? false}
            isUnpaid={(live?.grace_ends_at ?? null) !== null}
          />
        </div>
        <ul className={classes["facts"]}>
          <li>
            <Trans>{plan} plan</Trans>
          </li>
          <li>
            <span className="mono">{shield.cname_record}</span>
            <CopyButton value={shield.cname_record} label={t`Copy the CNAME target`} />
          </li>
          <li>{shield.location.display_name}</li>
        </ul>
      </div>
      <ShieldMenu shield={shield} />
    </header>
  );
}

export function ShieldHeaderSkeleton() {
  return (
    <LoadingRegion>
      <div className={classes["header"]}>
        <div className={classes["identity"]}>
          <h1 className="visually-hidden">
            <Trans>Game Shield</Trans>
          </h1>
          <Skeleton width={220} height={24} mb={12} />
          <Skeleton width="min(100%, 380px)" height={14} />
        </div>
      </div>
      <div className={classes["tabs"]} />
      <div className={classes["skeletons"]}>
        <Skeleton height={250} radius={10} />
        <Skeleton height={250} radius={10} />
      </div>
    </LoadingRegion>
  );
}

/** Shown while a section's code loads; each section has its own skeleton for its data. */
export function SectionSkeleton() {
  return (
    <LoadingRegion>
      <div className={classes["skeletons"]}>
        <Skeleton height={250} radius={10} />
        <Skeleton height={250} radius={10} />
      </div>
    </LoadingRegion>
  );
}
