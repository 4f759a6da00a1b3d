import { useLingui } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { useDocumentTitle } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { createElement, useRef, useState } from "react";
import { statusOf } from "#src/api/errors.ts";
import { NotFoundInShell } from "#src/ui/error-pages.tsx";
import { paths } from "#src/lib/paths.ts";
import { ErrorState } from "#src/ui/error-state.tsx";
import { deletedText, finalFailure } from "./load-failure.ts";
import { OverviewSection } from "./overview/overview-section.tsx";
import { Receipt, type Change } from "./receipt.tsx";
import { SectionRights } from "./section-rights.tsx";
import { SectionBoundary } from "./section-boundary.tsx";
import { useSectionComponent, type LoadedSection } from "./section-components.ts";
import { sectionOf, type SectionName } from "./sections.ts";
import { SectionSkeleton, ShieldHeader, ShieldHeaderSkeleton } from "./shield-header.tsx";
import { shieldQuery } from "./shield.queries.ts";
import { ShieldTabs } from "./shield-tabs.tsx";
import { RedirectToDashboard, useAccessEnd, useLockedSection } from "./shield-access.tsx";
import classes from "./shield.module.css";

export function ShieldPage() {
  const { t } = useLingui();
  const { shieldId, section: segment } = useParams({
    from: paths.shield,
  });
  const section = sectionOf(segment);
  const { data: shield, error, isPending, refetch } = useQuery(shieldQuery(shieldId));
  const [change, setChange] = useState<Change | null>(null);
  const receipt = useRef<HTMLDivElement>(null);
  const locked = useLockedSection(shield, section);
  useAccessEnd(shieldId);
  useDocumentTitle(`${shield?.server_name ?? t`Game Shield`} · Palisade`);

  if (section === null) return <NotFoundInShell />;
  const failure = error ? finalFailure(statusOf(error)) : null;
  if (failure) return <RedirectToDashboard text={failure} isDeleted={failure === deletedText} />;
  if (shield?.status === "deleted") return <RedirectToDashboard text={deletedText} isDeleted />;
  if (isPending) return <ShieldHeaderSkeleton />;
  if (!shield) {
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
      <ShieldHeader shield={shield} />
      <ShieldTabs shield={shield} current={shown} />
      <SectionBoundary name={shown}>
        <SectionRights shield={shield} section={shown}>
          <Section name={shown} shield={shield} onChange={setChange} />
        </SectionRights>
      </SectionBoundary>
      <div ref={receipt} tabIndex={-1} className={classes["receipt"]} data-receipt>
        {change ? (
          <Receipt
            key={change.revision}
            shieldId={shield.id}
            change={change}
            onDismiss={() => {
              // The pressed button disappears; the next receipt appears in the same place.
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
  readonly shield: Server;
  readonly onChange: (change: Change) => void;
}

function Section({ name, shield, onChange }: SectionProps) {
  if (name === "overview") return <OverviewSection shield={shield} />;
  return <LoadedSectionView name={name} shield={shield} onChange={onChange} />;
}

interface LoadedSectionProps extends SectionProps {
  readonly name: LoadedSection;
}

function LoadedSectionView({ name, shield, onChange }: LoadedSectionProps) {
  const component = useSectionComponent(name);
  if (component === undefined) return <SectionSkeleton />;
  return createElement(component, { key: name, shield, onChange });
}
