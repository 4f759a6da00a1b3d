import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import {
  announcementBody,
  announcementCharactersMax,
  announcementLevels,
  createAnnouncement,
  updateAnnouncement,
  type AnnouncementLevel,
  type StaffAnnouncement,
} from "@palisade/contract/http/announcements";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { useLevelLabels } from "#src/ui/announcement-level.ts";
import { AnnouncementBanner } from "#src/ui/announcement-banner.tsx";
import parts from "../parts/parts.module.css";
import { StaffFormDialog } from "../parts/staff-form-dialog.tsx";
import { localTime, momentOf } from "#src/lib/local-time.ts";

function initialValues(announcement: StaffAnnouncement | null) {
  const level: AnnouncementLevel = announcement?.level ?? "info";
  const endsAt = announcement?.ends_at ?? null;
  return {
    level,
    en: announcement?.en ?? "",
    ru: announcement?.ru ?? "",
    starts_at: localTime(announcement === null ? new Date() : new Date(announcement.starts_at)),
    ends_at: endsAt === null ? "" : localTime(new Date(endsAt)),
  };
}

interface AnnouncementFormProps {
  /** Null: a new one. */
  readonly announcement: StaffAnnouncement | null;
  readonly onClose: () => void;
}

export function AnnouncementForm({ announcement, onClose }: AnnouncementFormProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const labels = useLevelLabels();
  const [initial] = useState(() => initialValues(announcement));
  return (
    <StaffFormDialog
      wide
      title={announcement === null ? t`Write announcement` : t`Edit the announcement`}
      action={announcement === null ? t`Publish` : t`Save`}
      schema={announcementBody}
      initial={initial}
      toBody={({ starts_at, ends_at, ...values }) => ({
        ...values,
        starts_at: momentOf(starts_at),
        ends_at: ends_at === "" ? null : momentOf(ends_at),
      })}
      run={async (body) => {
        if (announcement === null) return (await call(createAnnouncement, { body })).data.message;
        const params = { announcementId: announcement.id };
        return (await call(updateAnnouncement, { params, body })).data.message;
      }}
      onClose={onClose}
    >
      {(field, values) => (
        <>
          <AnnouncementBanner
            level={values.level}
            text={
              values[locale].trim() === "" ? t`Customers see the text like this.` : values[locale]
            }
          />
          <NativeSelect label={t`Level`} {...field("level")}>
            {announcementLevels.map((each) => (
              <option key={each} value={each}>
                {labels[each]}
              </option>
            ))}
          </NativeSelect>
          <Textarea
            label={t`Text in English`}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={announcementCharactersMax}
            {...field("en")}
          />
          <Textarea
            label={t`Text in Russian`}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={announcementCharactersMax}
            {...field("ru")}
          />
          <div className={parts["two"]}>
            <TextInput
              type="datetime-local"
              label={t`From`}
              description={t`In your time zone`}
              {...field("starts_at")}
            />
            <TextInput
              type="datetime-local"
              label={t`Until`}
              description={t`Empty: until it is deleted`}
              {...field("ends_at")}
            />
          </div>
        </>
      )}
    </StaffFormDialog>
  );
}
