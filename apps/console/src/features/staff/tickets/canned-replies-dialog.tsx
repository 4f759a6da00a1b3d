import { Button, Textarea, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  cannedReplyBody,
  createCannedReply,
  deleteCannedReply,
  updateCannedReply,
  type CannedReply,
} from "@palisade/contract/http/canned-replies";
import { cannedVariables } from "@palisade/contract/http/canned-variables";
import { IconMessage2Bolt } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { call } from "#src/api/client.ts";
import { fieldIssues } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import { toast } from "#src/ui/toasts.tsx";
import { StaffActionDialog } from "../staff-action-dialog.tsx";
import { cannedQuery } from "./tickets.queries.ts";
import classes from "./tickets.module.css";

// As a value: a translated text must not hold braces of its own.
const variables = cannedVariables.map((name) => `{${name}}`).join(", ");

type Shown =
  | { kind: "list" }
  | { kind: "edit"; reply: CannedReply | null }
  | { kind: "delete"; reply: CannedReply };

/** Texts that staff insert into answers. */
export function CannedRepliesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const [shown, show] = useState<Shown>({ kind: "list" });
  const query = useQuery(cannedQuery);
  const back = () => show({ kind: "list" });
  if (shown.kind === "edit") return <CannedReplyForm reply={shown.reply} onClose={back} />;
  if (shown.kind === "delete") {
    const { id, title } = shown.reply;
    return (
      <StaffActionDialog
        title={t`Delete ${title}`}
        action={t`Delete`}
        danger
        run={async (reason) =>
          (await call(deleteCannedReply, { params: { replyId: id }, body: { reason } })).data
            .message
        }
        onClose={back}
      >
        <p>
          <Trans>Messages that were sent with it stay as they are.</Trans>
        </p>
      </StaffActionDialog>
    );
  }
  return (
    <Dialog
      opened
      wide
      title={t`Canned replies`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans context="close a dialog">Close</Trans>
          </Button>
          <Button onClick={() => show({ kind: "edit", reply: null })}>
            <Trans>New canned reply</Trans>
          </Button>
        </>
      }
    >
      <QueryBoundary query={query} errorTitle={t`Error fetching canned replies`} compact>
        {(replies) =>
          replies.length === 0 ? (
            <EmptyState
              compact
              icon={<IconMessage2Bolt size={22} stroke={1.6} />}
              title={t`No canned replies yet`}
              text={<Trans>Write what you answer often once, in both languages.</Trans>}
            />
          ) : (
            <ul className={classes["canned"]} aria-label={t`Canned replies`}>
              {replies.map((reply) => (
                <li key={reply.id}>
                  <span className={classes["cannedText"]}>
                    <strong>{reply.title}</strong>
                    <span>{reply.body_en}</span>
                  </span>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t`Edit ${reply.title}`}
                    onClick={() => show({ kind: "edit", reply })}
                  >
                    <Trans>Edit</Trans>
                  </Button>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t`Delete ${reply.title}`}
                    onClick={() => show({ kind: "delete", reply })}
                  >
                    <Trans>Delete</Trans>
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </QueryBoundary>
    </Dialog>
  );
}

function CannedReplyForm({ reply, onClose }: { reply: CannedReply | null; onClose: () => void }) {
  const { t } = useLingui();
  const formId = useId();
  const { field, submit, placeIssues } = useContractForm(cannedReplyBody, {
    title: reply?.title ?? "",
    body_en: reply?.body_en ?? "",
    body_ru: reply?.body_ru ?? "",
  });
  const save = useMutation({
    mutationFn: async (body: { title: string; body_en: string; body_ru: string }) => {
      const { data } =
        reply === null
          ? await call(createCannedReply, { body })
          : await call(updateCannedReply, { params: { replyId: reply.id }, body });
      return data.message;
    },
    onSuccess: async (message) => {
      toast("success", message);
      await queryClient.invalidateQueries({ queryKey: cannedQuery.queryKey });
      onClose();
    },
    onError: (error) => {
      if (!placeIssues(fieldIssues(error))) toastError(error, t`The reply could not be saved`);
    },
  });
  const area = { autosize: true, minRows: 4, maxRows: 12, maxLength: 10_000 } as const;
  return (
    <Dialog
      opened
      wide
      title={reply === null ? t`New canned reply` : t`Edit the canned reply`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton type="submit" form={formId} loading={save.isPending}>
            <Trans>Save</Trans>
          </ActionButton>
        </>
      }
    >
      <form
        id={formId}
        className={classes["form"]}
        noValidate
        onSubmit={submit((values) => save.mutate(values))}
      >
        <TextInput label={t`Title`} maxLength={80} {...field("title")} />
        <Textarea
          label={t`English text`}
          description={t`${variables} are filled in.`}
          {...area}
          {...field("body_en")}
        />
        <Textarea
          label={t`Russian text`}
          description={t`For customers whose console is in Russian. Empty: they get the English text.`}
          {...area}
          {...field("body_ru")}
        />
      </form>
    </Dialog>
  );
}
