import { useLingui } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { useDocumentTitle } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { notFound, useParams } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { statusOf } from "#src/api/errors.ts";
import { ErrorState } from "#src/ui/error-state.tsx";
import { deletedText, finalFailure } from "./load-failure.ts";
import { OverviewSection } from "./overview/overview-section.tsx";
import { Receipt, type Change } from "./receipt.tsx";
import { sectionViews } from "./section-views.ts";
import { sectionOf, type SectionName } from "./sections.ts";
import { SectionSkeleton, ShieldHeader, ShieldHeaderSkeleton } from "./shield-header.tsx";
import { serverQuery } from "./shield.queries.ts";
import { useAccessEnd } from "./sub-users/use-access-end.ts";
import { ShieldTabs } from "./shield-tabs.tsx";
import { Leaving, useLockedSection } from "./shield-access.tsx";
import classes from "./shield.module.css";

export function ShieldPage() {
  const { t } = useLingui();
  const { serverId, section: segment } = useParams({
    from: "/dashboard/gameshield/$serverId/{-$section}",
  });
  const section = sectionOf(segment);
  const { data: server, error, isPending, refetch } = useQuery(serverQuery(serverId));
  const [change, setChange] = useState<Change | null>(null);
  const locked = useLockedSection(server, section);
  useAccessEnd(serverId);
  useDocumentTitle(`${server?.server_name ?? t`Game Shield`} · Palisade`);

  if (section === null) throw notFound();
  const failure = error ? finalFailure(statusOf(error)) : null;
  if (failure) return <Leaving text={failure} />;
  if (server?.status === "deleted") return <Leaving text={deletedText} />;
  if (isPending) return <ShieldHeaderSkeleton />;
  if (!server) {
    return (
      <>
        <h1 className="visually-hidden">{t`Game Shield`}</h1>
        <ErrorState error={error} title={t`Failed to load server`} onRetry={() => void refetch()} />
      </>
    );
  }

  const shown = locked ? "overview" : section;
  return (
    <>
      <ShieldHeader server={server} />
      <ShieldTabs server={server} current={shown} />
      {change ? (
        <div className={classes["receipt"]}>
          <Receipt
            key={change.revision}
            serverId={server.id}
            change={change}
            onDismiss={() => setChange(null)}
          />
        </div>
      ) : null}
      <Section name={shown} server={server} onChange={setChange} />
    </>
  );
}

interface SectionProps {
  readonly name: SectionName;
  readonly server: Server;
  readonly onChange: (change: Change) => void;
}

function Section({ name, server, onChange }: SectionProps) {
  if (name === "overview") return <OverviewSection server={server} />;
  const View = sectionViews[name];
  return (
    <Suspense fallback={<SectionSkeleton />}>
      <View key={name} server={server} onChange={onChange} />
    </Suspense>
  );
}
