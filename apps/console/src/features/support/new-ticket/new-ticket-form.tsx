import { Checkbox, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  createTicketBody,
  messageCharactersMax,
  subjectCharactersMax,
  ticketCategories,
  ticketSeverities,
} from "@palisade/contract/http/tickets";
import { useEffect, useState } from "react";
import { useCurrentUser } from "#src/api/current-user.ts";
import { paths } from "#src/lib/paths.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { FieldError } from "#src/ui/field-error.tsx";
import { LinkButton } from "#src/ui/link-button.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { categoryLabels, severityLabels } from "#src/ui/ticket-labels.ts";
import { AttachmentField } from "../attachments/attachment-field.tsx";
import { DropOverlay } from "../attachments/drop-overlay.tsx";
import { pastedFiles } from "../attachments/pasted-files.ts";
import { useAttachments } from "../attachments/use-attachments.ts";
import type { SupportSearch } from "../support-search.ts";
import classes from "../support.module.css";
import { initialValues, ticketDraft } from "./new-ticket-draft.ts";
import { ShieldField } from "./shield-field.tsx";
import { useCreateTicket } from "./use-create-ticket.ts";

/** The fields that a person types; the shield's id is chosen from a list. */
const typedFields = createTicketBody.pick({
  category: true,
  severity: true,
  subject: true,
  message: true,
});

interface NewTicketFormProps {
  readonly search: SupportSearch;
  readonly onQuestion: (question: { subject: string; serverId: string }) => void;
}

export function NewTicketForm({ search, onQuestion }: NewTicketFormProps) {
  const { t, i18n } = useLingui();
  const owner = useCurrentUser()?.id ?? "";
  const [first] = useState(() => initialValues(owner, search));
  const { form, field, submit, placeIssues } = useContractForm(typedFields, { ...first });
  const create = useCreateTicket(placeIssues);
  const attachments = useAttachments("ticket", create.isPending);
  const { values } = form;
  useEffect(() => {
    if (!create.isDone) ticketDraft.store(owner, values);
  }, [owner, values, create.isDone]);
  const { subject, server_id: serverId } = values;
  useEffect(() => onQuestion({ subject, serverId }), [onQuestion, subject, serverId]);
  const errorOf = (name: string) => {
    const { error, ...props } = field(name);
    return { ...props, error: error === undefined ? undefined : <FieldError text={error} /> };
  };

  return (
    <form
      noValidate
      aria-label={t`New ticket`}
      onPaste={(event) => {
        const files = pastedFiles(event);
        if (files.length > 0) attachments.add(files);
      }}
      onSubmit={submit((sent) => create.send(sent, attachments.files))}
    >
      <Panel className={classes["form"]}>
        <div className={classes["pair"]}>
          <NativeSelect
            {...errorOf("category")}
            label={t`Category`}
            withAsterisk
            data={[
              { value: "", label: t`Select category` },
              ...ticketCategories.map((value) => ({ value, label: i18n._(categoryLabels[value]) })),
            ]}
          />
          <NativeSelect
            {...errorOf("severity")}
            label={t`Severity`}
            withAsterisk
            data={[
              { value: "", label: t`Select severity` },
              ...ticketSeverities.map((value) => ({ value, label: i18n._(severityLabels[value]) })),
            ]}
          />
        </div>
        <TextInput
          {...errorOf("subject")}
          label={t`Subject`}
          withAsterisk
          maxLength={subjectCharactersMax}
          autoComplete="off"
        />
        <ShieldField {...field("server_id")} />
        {serverId === "" ? null : (
          <Checkbox
            label={t`Send settings and doctor report along`}
            description={t`Support sees the settings of the shield as they are now, and what the doctor finds.`}
            checked={values.with_snapshot === "yes"}
            onChange={({ currentTarget }) =>
              form.setFieldValue("with_snapshot", currentTarget.checked ? "yes" : "")
            }
          />
        )}
        <Textarea
          {...errorOf("message")}
          label={t`Message`}
          withAsterisk
          autosize
          minRows={6}
          maxRows={18}
          maxLength={messageCharactersMax}
        />
        <AttachmentField
          attachments={attachments}
          refusals={create.refusals}
          sentShare={create.sentShare}
        />
        <div className={classes["actions"]}>
          <LinkButton to={paths.support} search={{}} variant="default">
            <Trans>Cancel</Trans>
          </LinkButton>
          <ActionButton type="submit" loading={create.isPending}>
            <Trans>Create ticket</Trans>
          </ActionButton>
        </div>
      </Panel>
      <DropOverlay shown={attachments.isDragging} />
    </form>
  );
}
