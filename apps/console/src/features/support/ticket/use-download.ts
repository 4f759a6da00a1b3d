import { useLingui } from "@lingui/react/macro";
import { ticketRoutes, type TicketAttachment } from "@palisade/contract/http/tickets";
import { useMutation } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { saveFile } from "#src/lib/save-file.ts";
import { toastError } from "#src/ui/toast-error.ts";

/** Fetches a file with the token of the session, and hands it to the browser's downloads. */
export function useDownload(ticketId: string, { filename, original_name: name }: TicketAttachment) {
  const { t } = useLingui();
  return useMutation({
    mutationFn: async () => {
      const params = { id: ticketId, file: filename };
      const { data } = await call(ticketRoutes.downloadAttachment, { params });
      saveFile(name, data);
    },
    onError: (error) => toastError(error, t`Failed to download file`),
  });
}
