import { Trans } from "@lingui/react/macro";
import type { TicketAttachment } from "@palisade/contract/http/tickets";
import { IconDownload, IconFileText } from "@tabler/icons-react";
import { bytes } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { useDownload } from "./use-download.ts";
import classes from "./ticket.module.css";

interface DownloadRowProps {
  readonly ticketId: string;
  readonly file: TicketAttachment;
}

/** A file of a message that is no image. */
export function DownloadRow({ ticketId, file }: DownloadRowProps) {
  const { locale } = useLocale();
  const download = useDownload(ticketId, file);
  const name = file.original_name;
  return (
    <button
      type="button"
      className={classes["download"]}
      aria-busy={download.isPending}
      onClick={() => download.isPending || download.mutate()}
    >
      <IconFileText size={17} stroke={1.6} aria-hidden="true" />
      <span className="visually-hidden">
        <Trans>Download</Trans>
      </span>
      <span className={classes["fileName"]}>{name}</span>
      <span className={classes["size"]}>{bytes(locale, file.size)}</span>
      <IconDownload size={16} stroke={1.6} aria-hidden="true" />
    </button>
  );
}
