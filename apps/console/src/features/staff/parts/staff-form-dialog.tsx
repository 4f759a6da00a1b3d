import { useLingui } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { z } from "zod";
import { fieldIssues } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { withStepUp } from "#src/api/step-up.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { toastError } from "#src/ui/toast-error.ts";
import { toast } from "#src/ui/toasts.tsx";
import { StaffReason } from "../staff-reason.tsx";
import { StaffDialog, type StaffDialogFrame } from "./staff-dialog.tsx";

export type FieldOf = ReturnType<typeof useContractForm>["field"];

interface StaffFormDialogProps<V extends Record<string, unknown>, Body> extends StaffDialogFrame {
  /** The body of the call. An issue at `en.name` is shown at the field `en_name`. */
  readonly schema: z.ZodType;
  /** The values that the fields begin with. */
  readonly initial: V;
  readonly toBody: (values: V & { readonly reason: string }) => Body;
  /** Resolves with the text of the toast. */
  readonly run: (body: Body) => Promise<string>;
  /** After it was done, in place of `onClose`. */
  readonly onDone?: () => void;
  readonly children: (field: FieldOf, values: V) => ReactNode;
}

/** A form of the staff area: its fields, the reason, and the call after a step-up where one is due. */
export function StaffFormDialog<V extends Record<string, unknown>, Body>(
  props: StaffFormDialogProps<V, Body>,
) {
  const { run, toBody, onClose, onDone = onClose } = props;
  const { t } = useLingui();
  const [checked] = useState(() => flatSchema(props.schema, toBody));
  const { form, field, submit, placeIssues } = useContractForm(checked, {
    ...props.initial,
    reason: "",
  });
  const fieldOf: FieldOf = field;
  const act = useMutation({
    mutationFn: (values: V & { reason: string }) => withStepUp(() => run(toBody(values))),
    onSuccess: (message) => {
      toast("success", message);
      void queryClient.invalidateQueries({ queryKey: ["staff"] });
      onDone();
    },
    onError: (error) => {
      const issues = Object.entries(fieldIssues(error)).map(([path, text]) => [nameOf(path), text]);
      const isPlaced = placeIssues(Object.fromEntries(issues) as Record<string, string>);
      if (!isPlaced) toastError(error, t`This could not be done`);
    },
  });
  const reason = fieldOf("reason");
  return (
    <StaffDialog
      frame={props}
      isPending={act.isPending}
      onSubmit={submit((values) => act.mutate(values))}
    >
      {props.children(fieldOf, form.values)}
      <StaffReason
        value={form.values.reason}
        error={reason.error}
        onChange={(event) => form.setFieldValue("reason" as never, event.currentTarget.value)}
      />
    </StaffDialog>
  );
}

/** `en.features.2` is shown at the field `en_features`. */
function nameOf(path: string): string {
  return path.replace(/\.\d+$/, "").replaceAll(".", "_");
}

/** Checks what the fields hold by the schema of the body that is made of it. */
function flatSchema(schema: z.ZodType, toBody: (values: never) => unknown): z.ZodType {
  return z.custom<never>().superRefine((values, context) => {
    const result = schema.safeParse(toBody(values));
    for (const issue of result.error?.issues ?? []) {
      const path = [nameOf(issue.path.join("."))];
      context.addIssue({ code: "custom", message: issue.message, path });
    }
  });
}
