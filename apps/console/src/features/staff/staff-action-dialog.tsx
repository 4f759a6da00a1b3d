import { useLingui } from "@lingui/react/macro";
import { staffReason } from "@palisade/contract/http/staff-roles";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { z } from "zod";
import { fieldIssues } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { withStepUp } from "#src/api/step-up.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { toastError } from "#src/ui/toast-error.ts";
import { toast } from "#src/ui/toasts.tsx";
import { StaffDialog, type StaffDialogFrame } from "./parts/staff-dialog.tsx";
import { StaffReason } from "./staff-reason.tsx";

const reasonOnly = z.object({ reason: staffReason });

interface StaffActionDialogProps extends StaffDialogFrame {
  /** Whether the other fields are right; without it, they always are. */
  readonly isReady?: () => boolean;
  /** Resolves with the text of the toast. Asked again after a step-up. */
  readonly run: (reason: string) => Promise<string>;
  /** Other fields, and what the action does. */
  readonly children: ReactNode;
}

/** Asks for the reason of a staff action, does it after a step-up where one is due, and says so. */
export function StaffActionDialog(props: StaffActionDialogProps) {
  const { isReady, run, onClose, children } = props;
  const { t } = useLingui();
  const { field, submit, placeIssues } = useContractForm(reasonOnly, { reason: "" });
  const act = useMutation({
    mutationFn: ({ reason }: { reason: string }) => withStepUp(() => run(reason)),
    onSuccess: async (message) => {
      toast("success", message);
      onClose();
      await queryClient.invalidateQueries({ queryKey: ["staff"] });
    },
    onError: (error) => {
      if (!placeIssues(fieldIssues(error))) toastError(error, t`This could not be done`);
    },
  });
  return (
    <StaffDialog
      frame={props}
      isPending={act.isPending}
      onSubmit={submit(
        (values) => {
          if (isReady?.() !== false) act.mutate(values);
        },
        () => void isReady?.(),
      )}
    >
      {children}
      <StaffReason {...field("reason")} />
    </StaffDialog>
  );
}
