import { Textarea, type TextareaProps } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";

/** Asks why a staff member does something; the answer stays on record with the action. */
export function StaffReason(field: TextareaProps) {
  const { t } = useLingui();
  return (
    <Textarea
      label={t`Reason`}
      description={t`Kept on record with your name. Write it so that a colleague understands it.`}
      maxLength={500}
      autosize
      minRows={2}
      maxRows={6}
      {...field}
    />
  );
}
