import "@mantine/core/styles/NumberInput.css";
import { NumberInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { mergeStaffTicket } from "@palisade/contract/http/staff-tickets";
import type { StaffTicketDetail } from "@palisade/contract/http/staff-ticket-shapes";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { fieldIssues } from "#src/api/errors.ts";
import { paths } from "#src/lib/paths.ts";
import { StaffActionDialog } from "../staff-action-dialog.tsx";

interface MergeDialogProps {
  readonly ticket: StaffTicketDetail;
  readonly onClose: () => void;
}

export function MergeDialog({ ticket, onClose }: MergeDialogProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [into, setInto] = useState<number | string>("");
  const [error, setError] = useState<string | null>(null);
  const number = ticket.ticket_number;
  return (
    <StaffActionDialog
      title={t`Merge #${number} into another ticket`}
      action={t`Merge`}
      danger
      isReady={() => {
        const isNumber = typeof into === "number";
        setError(isNumber ? null : t`Enter the number of a ticket`);
        return isNumber;
      }}
      run={async (reason) => {
        const params = { ticketId: ticket.id };
        try {
          const { data } = await call(mergeStaffTicket, { params, body: { into, reason } });
          void navigate({
            to: paths.staffPage,
            params: { section: "tickets", id: data.ticket.id },
          });
          return data.message;
        } catch (failure) {
          setError(fieldIssues(failure)["into"] ?? null);
          throw failure;
        }
      }}
      onClose={onClose}
    >
      <p>
        <Trans>
          The messages go to the end of the other ticket, in their order. This one is closed and
          leads the customer there.
        </Trans>
      </p>
      <NumberInput
        label={t`Number of the other ticket`}
        prefix="#"
        hideControls
        allowDecimal={false}
        allowNegative={false}
        value={into}
        error={error}
        onChange={setInto}
      />
    </StaffActionDialog>
  );
}
