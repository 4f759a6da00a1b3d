import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { staffReason } from "@palisade/contract/http/staff-roles";
import { useMutation } from "@tanstack/react-query";
import { useId, type ReactNode } from "react";
import { z } from "zod";
import { fieldIssues } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { withStepUp } from "#src/api/step-up.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import { toast } from "#src/ui/toasts.tsx";
import { StaffReason } from "./staff-reason.tsx";
import classes from "./staff.module.css";

const reasonOnly = z.object({ reason: staffReason });

interface StaffActionDialogProps {
  readonly title: string;
  /** Label of the button that does it. */
  readonly action: string;
  /** For what takes something from a customer. */
  readonly danger?: boolean;
  /** For many fields. */
  readonly wide?: boolean;
  /** Whether the other fields are right; without it, they always are. */
  readonly isReady?: () => boolean;
  /** Resolves with the text of the toast. Asked again after a step-up. */
  readonly run: (reason: string) => Promise<string>;
  readonly onClose: () => void;
  /** Other fields, and what the action does. */
  readonly children: ReactNode;
}

/** Asks for the reason of a staff action, does it after a step-up where one is due, and says so. */
export function StaffActionDialog(props: StaffActionDialogProps) {
  const { title, action, danger = false, wide = false, isReady, run, onClose, children } = props;
  const { t } = useLingui();
  const formId = useId();
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
    <Dialog
      opened
      title={title}
      wide={wide}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton
            type="submit"
            form={formId}
            loading={act.isPending}
            {...(danger ? { color: "danger" } : {})}
          >
            {action}
          </ActionButton>
        </>
      }
    >
      <form
        id={formId}
        className={classes["form"]}
        noValidate
        onSubmit={submit(
          (values) => {
            if (isReady?.() !== false) act.mutate(values);
          },
          () => void isReady?.(),
        )}
      >
        {children}
        <StaffReason {...field("reason")} />
      </form>
    </Dialog>
  );
}
