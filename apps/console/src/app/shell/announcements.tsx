import { useLingui } from "@lingui/react/macro";
import { listAnnouncements } from "@palisade/contract/http/announcements";
import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { useDismissed, useLocale } from "#src/lib/preferences.ts";
import { AnnouncementBanner } from "#src/ui/announcement-banner.tsx";
import { IconButton } from "#src/ui/icon-button.tsx";
import classes from "./announcements.module.css";

const refreshMs = 5 * 60_000;

/** What staff announce, until the reader closes it. One that was changed since is shown again. */
export function Announcements() {
  const { t } = useLingui();
  const { locale } = useLocale();
  const { dismissed, dismiss } = useDismissed();
  const { data = [] } = useQuery({
    queryKey: ["announcements", locale],
    queryFn: async ({ signal }) => (await call(listAnnouncements, { signal })).data.announcements,
    refetchInterval: refreshMs,
    // A page without announcements is better than one with an error about them.
    retry: false,
  });
  const shown = data.filter(({ id, changed_at }) => !dismissed.includes(`${id} ${changed_at}`));
  if (shown.length === 0) return null;
  return (
    <section className={classes["announcements"]} aria-label={t`Announcements`}>
      {shown.map(({ id, changed_at, level, text }) => (
        <AnnouncementBanner
          key={id}
          level={level}
          text={text}
          aside={
            <IconButton
              removes
              hint={t`Close`}
              label={t`Close the announcement`}
              icon={<IconX size={16} stroke={1.6} />}
              onClick={() => dismiss(`${id} ${changed_at}`)}
            />
          }
        />
      ))}
    </section>
  );
}
