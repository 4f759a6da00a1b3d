import { Button, Skeleton } from "@mantine/core";
import { useInViewport } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import type { TicketAttachment } from "@palisade/contract/http/tickets";
import { IconPhotoOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ActionButton } from "#src/ui/action-button.tsx";
import { BlobImage } from "#src/ui/blob-image.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { imageQuery } from "../tickets.queries.ts";
import { useDownload } from "./use-download.ts";
import classes from "./ticket.module.css";

interface MessageImageProps {
  readonly ticketId: string;
  readonly file: TicketAttachment;
}

/** An image of a message, fetched with the token of the session once it is in view. */
export function MessageImage({ ticketId, file }: MessageImageProps) {
  const { t } = useLingui();
  const [isLarge, setLarge] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const { ref, inViewport } = useInViewport();
  const query = useQuery({ ...imageQuery(ticketId, file.filename), enabled: inViewport });
  const blob = query.data;
  const download = useDownload(ticketId, file);
  const name = file.original_name;

  if (query.isError || isBroken) {
    return (
      <div className={classes["noImage"]} role="alert">
        <IconPhotoOff size={18} stroke={1.6} aria-hidden="true" />
        <span>
          <span>
            <Trans>Failed to load image</Trans>
          </span>
          <span className={classes["fileName"]}>{name}</span>
        </span>
        <Button
          size="xs"
          variant="default"
          loading={query.isFetching}
          onClick={() => {
            setBroken(false);
            void query.refetch();
          }}
        >
          <Trans>Try again</Trans>
        </Button>
      </div>
    );
  }
  return (
    <div ref={ref} className={classes["image"]}>
      {blob === undefined ? (
        <Skeleton height="100%" radius={8} />
      ) : (
        <button type="button" aria-label={t`Show ${name} larger`} onClick={() => setLarge(true)}>
          <BlobImage blob={blob} alt={name} onError={() => setBroken(true)} />
        </button>
      )}
      {isLarge && blob !== undefined ? (
        <Dialog
          opened
          wide
          title={name}
          onClose={() => setLarge(false)}
          actions={
            <>
              <Button variant="default" onClick={() => setLarge(false)}>
                <Trans context="close a dialog">Close</Trans>
              </Button>
              <ActionButton loading={download.isPending} onClick={() => download.mutate()}>
                <Trans>Download</Trans>
              </ActionButton>
            </>
          }
        >
          <BlobImage className={classes["large"]} blob={blob} alt={name} />
        </Dialog>
      ) : null}
    </div>
  );
}
