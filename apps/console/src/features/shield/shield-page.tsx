import { useLingui } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { useDocumentTitle } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Suspense, useRef, useState } from "react";
import { statusOf } from "#src/api/errors.ts";
import { NotFoundInShell } from "#src/app/error-pages.tsx";
import { paths } from "#src/lib/paths.ts";
import { ErrorState } from "#src/ui/error-state.tsx";
import { deletedText, finalFailure } from "./load-failure.ts";
import { OverviewSection } from "./overview/overview-section.tsx";
import { Receipt, type Change } from "./receipt.tsx";
import { SectionBoundary } from "./section-boundary.tsx";
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
  const { shieldId: serverId, section: segment } = useParams({
    from: paths.shield,
  });
  const section = sectionOf(segment);
  const { data: server, error, isPending, refetch } = useQuery(serverQuery(serverId));
  const [change, setChange] = useState<Change | null>(null);
  const receipt = useRef<HTMLDivElement>(null);
  const locked = useLockedSection(server, section);
  useAccessEnd(serverId);
  useDocumentTitle(`${server?.server_name ?? t`Game Shield`} · Palisade`);

  if (section === null) return <NotFoundInShell />;
  const failure = error ? finalFailure(statusOf(error)) : null;
  if (failure) return <Leaving text={failure} isDeleted={failure === deletedText} />;
  if (server?.status === "deleted") return <Leaving text={deletedText} isDeleted />;
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
      <SectionBoundary name={shown}>
        <Section name={shown} server={server} onChange={setChange} />
      </SectionBoundary>
      <div ref={receipt} tabIndex={-1} className={classes["receipt"]} data-receipt>
        {change ? (
          <Receipt
            key={change.revision}
            serverId={server.id}
            change={change}
            onDismiss={() => {
              // What was pressed is about to go; the next receipt comes to the same place.
              receipt.current?.focus({ preventScroll: true });
              setChange(null);
            }}
          />
        ) : null}
      </div>
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
