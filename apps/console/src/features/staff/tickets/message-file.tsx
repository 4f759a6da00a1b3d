import { Button, VisuallyHidden } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { downloadAsStaff } from "@palisade/contract/http/staff-tickets";
import type { TicketAttachment } from "@palisade/contract/http/tickets";
import { IconDownload } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { bytes } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { saveFile } from "#src/lib/save-file.ts";
import { BlobImage } from "#src/ui/blob-image.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import { imageQuery } from "./tickets.queries.ts";
import classes from "./ticket.module.css";

interface MessageFileProps {
  readonly ticketId: string;
  readonly file: TicketAttachment;
}

/** A file of a message, with its picture where it is one. */
export function MessageFile({ ticketId, file }: MessageFileProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const { filename, original_name: name, size, is_image: isImage } = file;
  const download = useMutation({
    mutationFn: async () =>
      (await call(downloadAsStaff, { params: { ticketId, file: filename } })).data,
    onSuccess: (content) => saveFile(name, content),
    onError: (error) => toastError(error, t`Failed to download file`),
  });
  return (
    <div className={classes["file"]}>
      {isImage ? <Picture ticketId={ticketId} file={file} /> : null}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconDownload size={14} stroke={1.6} />}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        <VisuallyHidden>{t`Download ${name}`}</VisuallyHidden>
        <span className={classes["fileName"]} aria-hidden="true">
          {name}
        </span>
        <span className={classes["size"]}>{bytes(locale, size)}</span>
      </Button>
    </div>
  );
}

/** Fetched with the token of the session, never by an address that holds it. */
function Picture({ ticketId, file: { filename, original_name: name } }: MessageFileProps) {
  const query = useQuery(imageQuery(ticketId, filename));
  const blob = query.data;
  const [isBroken, setBroken] = useState(false);
  if (query.isError || isBroken) {
    return (
      <p className={classes["noPicture"]} role="alert">
        <Trans>Failed to load image</Trans>
      </p>
    );
  }
  return blob === undefined ? (
    <span className={classes["pictureRoom"]} />
  ) : (
    <BlobImage
      className={classes["picture"]}
      blob={blob}
      alt={name}
      onError={() => setBroken(true)}
    />
  );
}
