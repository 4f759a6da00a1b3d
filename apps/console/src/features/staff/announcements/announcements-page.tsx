import { Button } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  createAnnouncement,
  deleteAnnouncement,
  listStaffAnnouncements,
  updateAnnouncement,
  type StaffAnnouncement,
} from "@palisade/contract/http/announcements";
import { IconPlus, IconSpeakerphone } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { absoluteTime } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { announcementTones, useLevelLabels } from "#src/ui/announcement-level.ts";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { PageHead } from "#src/ui/page-head.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { Status, type Tone } from "#src/ui/status.tsx";
import parts from "../parts/parts.module.css";
import { StaffFormDialog } from "../parts/staff-form-dialog.tsx";
import { StaffRows, type StaffColumn } from "../parts/staff-rows.tsx";
import { useMay } from "../parts/use-may.ts";
import { AnnouncementForm } from "./announcement-form.tsx";

const announcementsQuery = queryOptions({
  queryKey: ["staff", "announcements"],
  queryFn: async ({ signal }) =>
    (await call(listStaffAnnouncements, { signal })).data.announcements,
});

type Opened =
  | { readonly action: "write"; readonly announcement: StaffAnnouncement | null }
  | { readonly action: "delete"; readonly announcement: StaffAnnouncement };

/** The texts that every customer sees on top of the console. */
export function AnnouncementsPage() {
  const { t } = useLingui();
  useDocumentTitle(`${t`Announcements`} · Palisade`);
  const query = useQuery(announcementsQuery);
  const [opened, setOpened] = useState<Opened | null>(null);
  const may = useMay();
  const columns = useColumns(setOpened);
  const close = () => setOpened(null);
  const write = may(createAnnouncement) ? (
    <Button
      leftSection={<IconPlus size={16} stroke={1.8} />}
      onClick={() => setOpened({ action: "write", announcement: null })}
    >
      <Trans>Write announcement</Trans>
    </Button>
  ) : undefined;
  return (
    <div className={parts["page"]}>
      <PageHead title={<Trans>Announcements</Trans>} aside={write} />
      <Panel>
        <QueryBoundary query={query} errorTitle={t`The announcements could not be loaded`}>
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState
                icon={<IconSpeakerphone size={22} stroke={1.6} />}
                title={t`No announcements yet`}
                text={
                  <Trans>
                    An announcement is shown on top of the console of every customer, until it ends
                    or they close it.
                  </Trans>
                }
                action={write}
              />
            ) : (
              <StaffRows
                label={t`Announcements`}
                columns={columns}
                rows={rows}
                keyOf={({ id }) => id}
              />
            )
          }
        </QueryBoundary>
      </Panel>
      {opened?.action === "write" ? (
        <AnnouncementForm announcement={opened.announcement} onClose={close} />
      ) : null}
      {opened?.action === "delete" ? (
        <DeleteDialog announcement={opened.announcement} onClose={close} />
      ) : null}
    </div>
  );
}

function useColumns(onOpen: (opened: Opened) => void): readonly StaffColumn<StaffAnnouncement>[] {
  const { t } = useLingui();
  const { locale } = useLocale();
  const labels = useLevelLabels();
  const may = useMay();
  const states: Record<StaffAnnouncement["state"], { label: string; tone: Tone }> = {
    planned: { label: t`Planned`, tone: "attack" },
    shown: { label: t`Shown now`, tone: "protected" },
    over: { label: t`Over`, tone: "idle" },
  };
  return [
    {
      key: "text",
      name: t`Text`,
      bare: true,
      renderCell: ({ en, ru }) => (
        <>
          <span className={parts["main"]}>{locale === "ru" ? ru : en}</span>
          <span className={parts["sub"]}>{locale === "ru" ? en : ru}</span>
        </>
      ),
    },
    {
      key: "level",
      name: t`Level`,
      renderCell: ({ level }) => {
        const tone = announcementTones[level];
        return <Status tone={tone === "neutral" ? "idle" : tone}>{labels[level]}</Status>;
      },
    },
    {
      key: "state",
      name: t`State`,
      renderCell: ({ state }) => <Status tone={states[state].tone}>{states[state].label}</Status>,
    },
    {
      key: "from",
      name: t`From`,
      renderCell: (row) => absoluteTime(locale, new Date(row.starts_at)),
    },
    {
      key: "until",
      name: t`Until`,
      renderCell: ({ ends_at: at }) => (at === null ? "–" : absoluteTime(locale, new Date(at))),
    },
    {
      key: "actions",
      name: t`Actions`,
      right: true,
      bare: true,
      renderCell: (announcement) => (
        <span className={parts["buttons"]}>
          {may(updateAnnouncement) ? (
            <Button
              size="xs"
              variant="default"
              aria-label={t`Edit: ${announcement.en}`}
              onClick={() => onOpen({ action: "write", announcement })}
            >
              <Trans>Edit</Trans>
            </Button>
          ) : null}
          {may(deleteAnnouncement) ? (
            <Button
              size="xs"
              variant="default"
              aria-label={t`Delete: ${announcement.en}`}
              onClick={() => onOpen({ action: "delete", announcement })}
            >
              <Trans>Delete</Trans>
            </Button>
          ) : null}
        </span>
      ),
    },
  ];
}

interface DeleteDialogProps {
  readonly announcement: StaffAnnouncement;
  readonly onClose: () => void;
}

function DeleteDialog({ announcement, onClose }: DeleteDialogProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  return (
    <StaffFormDialog
      title={t`Delete the announcement`}
      action={t`Delete`}
      danger
      schema={deleteAnnouncement.body}
      initial={{}}
      toBody={({ reason }) => ({ reason })}
      run={async (body) => {
        const params = { announcementId: announcement.id };
        return (await call(deleteAnnouncement, { params, body })).data.message;
      }}
      onClose={onClose}
    >
      {() => <p className={parts["reason"]}>{announcement[locale]}</p>}
    </StaffFormDialog>
  );
}
