import type { MessageDescriptor } from "@lingui/core";
import { useLingui } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { useNavigate } from "@tanstack/react-router";
import { IconShieldOff } from "@tabler/icons-react";
import { useEffect } from "react";
import { paths } from "#src/lib/paths.ts";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { LinkButton } from "#src/ui/link-button.tsx";
import { toast } from "#src/ui/toasts.tsx";
import type { SectionName } from "./sections.ts";
import { useQuery } from "@tanstack/react-query";
import { statusOf } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { finalFailure } from "./load-failure.ts";
import { overviewQuery, shieldQuery } from "./shield.queries.ts";

const redirectDelayMs = 1500;

/** Says that the shield cannot be shown, then returns to the dashboard. */
export function RedirectToDashboard({
  text,
  isDeleted,
}: {
  text: MessageDescriptor;
  isDeleted?: boolean;
}) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const shown = i18n._(text);
  useEffect(() => {
    toast("error", shown);
    const timer = setTimeout(
      () => void navigate({ to: paths.dashboard, replace: true }),
      redirectDelayMs,
    );
    return () => clearTimeout(timer);
  }, [shown, navigate]);
  return (
    <>
      <h1 className="visually-hidden">{t`Game Shield`}</h1>
      <EmptyState
        icon={<IconShieldOff size={22} stroke={1.6} />}
        title={shown}
        text={t`Check the link, or ask the owner of the shield.`}
        action={
          <>
            <LinkButton to={paths.dashboard}>{t`Go Back`}</LinkButton>
            {isDeleted ? (
              <LinkButton to={paths.dashboard} search={{ status: "deleted" }} variant="default">
                {t`Deleted servers`}
              </LinkButton>
            ) : null}
          </>
        }
      />
    </>
  );
}

/** A shield that is not active shows only its overview; other sections redirect there. */
export function useLockedSection(shield: Server | undefined, section: SectionName | null): boolean {
  const { t } = useLingui();
  const navigate = useNavigate();
  const locked =
    shield !== undefined &&
    shield.status !== "active" &&
    section !== null &&
    section !== "overview";
  const id = shield?.id;
  const text = t`Access denied. Server must be active to access this section`;
  useEffect(() => {
    if (!locked || id === undefined) return;
    toast("error", text);
    void navigate({
      to: paths.shield,
      params: { shieldId: id, section: undefined },
      replace: true,
    });
  }, [locked, id, text, navigate]);
  return locked;
}

/** Users who lose access learn it from the next poll, not from their next click. */
export function useAccessEnd(shieldId: string): void {
  // Only observes: the header and the overview run the query.
  const { error } = useQuery({ ...overviewQuery(shieldId), enabled: false });
  const isOver = error !== null && finalFailure(statusOf(error)) !== null;
  useEffect(() => {
    if (!isOver) return;
    const { queryKey } = shieldQuery(shieldId);
    // A shield that failed to load needs no second check.
    if (queryClient.getQueryState(queryKey)?.status !== "success") return;
    void queryClient.invalidateQueries({ queryKey });
  }, [isOver, shieldId]);
}
